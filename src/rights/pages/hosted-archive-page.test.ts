import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../../test/support/movable-clock.ts';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';
import { RootSecret } from '../../base/secrets.ts';
import { createRightsTokens } from '../rights-tokens.ts';

const tokens = createRightsTokens(new RootSecret('a root secret for tests, and for tests alone'));
const clock = createMovableClock(new Date().toISOString());
let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api,web', clock });
  tenant = await service.tenant();
});
after(async () => await service.stop());

let people = 0;
const newPerson = (): string => `ana-${(people += 1)}@company.cl`;

async function fulfilled(to: string, body: object = {}, kind = 'access'): Promise<number> {
  const contacts = [
    { contact_type: 'uniquecode', contact: 'A-1' },
    { contact_type: 'email_address', contact: to },
  ];
  const { json } = await tenant.api.post('/v1/rights-requests', { kind, contacts });
  const done = await tenant.api.post(`/v1/rights-requests/${json.id}/fulfil`, body);
  assert.equal(done.status, 200, done.text);
  return json.id;
}

/** What was mailed to an address, oldest first. */
async function mailsTo(address: string): Promise<{ kind: string; text: string }[]> {
  return await service.db.query<{ kind: string; text: string }>(
    `select c.slug as kind, convert_from(g.text, 'UTF8') as text from mails m join messages g using (msg_id)
     join categories c on c.id = m.category_id where m.recipient = $1 order by m.mail_id`,
    [address],
  );
}

const linkOf = (id: number): string => `${service.base_url}/rights/archive/${tokens.archive.make(id)}`;
const post = async (url: string, fields: Record<string, string>): Promise<Response> =>
  await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });

async function codeFor(id: number, to: string): Promise<string> {
  assert.equal((await post(linkOf(id), { action: 'send' })).status, 303);
  const sent = (await mailsTo(to)).filter(({ kind }) => kind === 'rights-code');
  return /\b\d{8}\b/.exec(sent.at(-1)?.text ?? '')?.[0] ?? '';
}

test('the person gets a link, and downloads the archive with the code of another mail, once', async () => {
  const to = newPerson();
  const id = await fulfilled(to);
  const [mail] = await mailsTo(to);
  assert.equal(mail?.kind, 'rights-archive');
  assert.ok(mail?.text.includes(`/rights/archive/${tokens.archive.make(id)}`), mail?.text);
  assert.match(mail?.text ?? '', /14 días/);
  const page = await fetch(linkOf(id), { headers: { 'accept-language': 'es' } });
  assert.match(await page.text(), /Enviarme el código/);
  assert.equal((await mailsTo(to)).length, 1, 'a scanner that follows the link changes nothing');
  const code = await codeFor(id, to);
  assert.match(code, /^\d{8}$/);
  const opened = await post(linkOf(id), { action: 'open', code });
  assert.deepEqual([opened.status, opened.headers.get('content-type')], [200, 'application/zip']);
  const zip = Buffer.from(await opened.arrayBuffer());
  assert.equal(zip.subarray(0, 2).toString(), 'PK');
  assert.ok(zip.includes('index.html'));
  assert.equal((await post(linkOf(id), { action: 'open', code })).status, 422, 'a code opens once');
  const { json } = await tenant.api.get(`/v1/rights-requests/${id}`);
  assert.ok(json.receipts.some(({ step }: { step: string }) => step === 'downloaded'));
});

test('five wrong codes end a code, and it ends by itself', async () => {
  const to = newPerson();
  const id = await fulfilled(to, {}, 'portability');
  const code = await codeFor(id, to);
  const wrong = code === '00000000' ? '11111111' : '00000000';
  for (let n = 0; n < 5; n += 1)
    assert.equal((await post(linkOf(id), { action: 'open', code: wrong })).status, 422);
  assert.equal((await post(linkOf(id), { action: 'open', code })).status, 422);
  const second = await codeFor(id, to);
  clock.advance(16 * 60_000);
  assert.equal((await post(linkOf(id), { action: 'open', code: second })).status, 422);
});

test('without a code, with the code of another request or with a wrong link nobody gets the archive', async () => {
  const [to, other] = [newPerson(), newPerson()];
  const [id, others] = [await fulfilled(to), await fulfilled(other)];
  assert.equal((await post(linkOf(id), { action: 'open', code: '' })).status, 422);
  const code = await codeFor(others, other);
  await codeFor(id, to);
  assert.equal((await post(linkOf(id), { action: 'open', code })).status, 422);
  const page = `${service.base_url}/rights/archive/${tokens.verification.make(id)}`;
  assert.equal((await post(page, { action: 'send' })).status, 410);
});

test('the link expires, and a refused, open or unwanted one leads nowhere', async () => {
  const id = await fulfilled(newPerson());
  clock.advance(15 * 86_400_000);
  assert.equal((await fetch(linkOf(id))).status, 410);
  const to = newPerson();
  const handed = await fulfilled(to, { send_archive: false });
  assert.deepEqual(await mailsTo(to), []);
  assert.equal((await fetch(linkOf(handed))).status, 410);
  const rectified = newPerson();
  const corrected = await fulfilled(rectified, {}, 'rectification');
  assert.deepEqual(await mailsTo(rectified), []);
  assert.equal((await post(linkOf(corrected), { action: 'send' })).status, 410);
});
