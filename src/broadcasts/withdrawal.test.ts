import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import PostalMime from 'postal-mime';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { pageUrl } from '../track/pages/mail-pages.fixture.ts';
import { openBroadcastAccount, type BroadcastAccount, type MailOf } from './broadcast-account.fixture.ts';

let service: TestService;
let account: BroadcastAccount;
before(async () => {
  service = await startTestService({ roles: 'api,web,jobs,delivery' });
  account = await openBroadcastAccount(service);
});
after(async () => await service.stop());

async function broadcastTo(addresses: string[]): Promise<MailOf[]> {
  for (const address of addresses) {
    await account.recordAllow(address);
    await account.recordAllow(address, { purpose_id: account.newsletter });
  }
  const { id } = await account.draft();
  await account.send(id);
  const sent = await account.inState(id, 'sent');
  const mails = await waitFor(
    async () => {
      const found = await account.mailsOf(sent);
      return found.every(({ status }) => status === 3 || status === 4) && found;
    },
    { timeout_ms: 30_000, what: 'the mails to be sent or dropped' },
  );
  return mails.filter(({ recipient }) => addresses.includes(recipient));
}

const verdictOf = async (contact: string, purpose_id: number): Promise<string> =>
  (
    await account.api.get(
      `/v1/consent-rules/resolve?contact=${contact}&contact_type=email_address&purpose_id=${purpose_id}`,
    )
  ).json.verdict;
const verdicts = async (contact: string): Promise<string[]> =>
  await Promise.all([account.marketing, account.newsletter].map(async (id) => await verdictOf(contact, id)));

const post = async (url: string, fields: Record<string, string>): Promise<Response> =>
  await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });

test('the link of a broadcast withdraws its purpose and no other, with the request as evidence', async () => {
  const [mail] = await broadcastTo(['ana@sandbox.test']);
  const mailId = mail?.mail_id ?? '';
  const [{ raw } = { raw: Buffer.alloc(0) }] = await service.db.query<{ raw: Buffer }>(
    'select raw from sandbox_messages where mail_id = $1',
    [mailId],
  );
  const { headers } = await PostalMime.parse(raw);
  const list = headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  assert.match(headers.find(({ key }) => key === 'list-unsubscribe-post')?.value ?? '', /One-Click/);
  const url = /<(http[^>]+)>/.exec(list)?.[1] ?? '';
  assert.equal((await post(url, { 'List-Unsubscribe': 'One-Click' })).status, 200);
  assert.deepEqual(await verdicts('ana@sandbox.test'), ['deny', 'allow']);
  const [event] = await service.db.query<{ evidence: { address?: string }; source: string }>(
    `select e.evidence, e.source from consent_events e join consent_rules r on r.event_id = e.id
     where r.contact = 'ana@sandbox.test' and r.action = 'deny'`,
  );
  assert.deepEqual([event?.source, typeof event?.evidence.address], ['system', 'string']);
  const [row] = await service.db.query<{ is_purpose_only: boolean; consent_purpose_id: number }>(
    'select is_purpose_only, consent_purpose_id from unsubscribes where mail_id = $1',
    [mailId],
  );
  assert.deepEqual(row, { is_purpose_only: true, consent_purpose_id: account.marketing });
});

test('another purpose still reaches who left one, and this one does not', async () => {
  const other = await account.draft({ audience: { purpose_id: account.newsletter } });
  await account.send(other.id);
  const sent = await account.inState(other.id, 'sent');
  assert.equal(sent.progress.accepted, 1);
  const again = await account.api.post('/v1/broadcasts/audience', { purpose_id: account.marketing });
  assert.equal(again.json.count, 0);
});

test('the page says which purpose, offers the others, and brings back what it withdrew', async () => {
  const [mail] = await broadcastTo(['bea@sandbox.test']);
  const url = pageUrl(service, 'unsubscribe', mail?.mail_id ?? '');
  const html = await (await fetch(url)).text();
  assert.match(html, /stop sending “[^”]+” to b•••@sandbox\.test/);
  assert.match(html, new RegExp(`name="also-${account.newsletter}"`));
  const spanish = await (await fetch(url, { headers: { 'accept-language': 'es' } })).text();
  assert.match(spanish, /deje de enviar «[^»]+» a/);
  assert.equal((await post(url, { action: 'unsubscribe' })).status, 303);
  assert.deepEqual(await verdicts('bea@sandbox.test'), ['deny', 'allow']);
  const done = await (await fetch(url)).text();
  assert.match(done, /will not get “[^”]+”/);
  assert.match(done, /You still agree to these/);
  await post(url, { action: 'unsubscribe', [`also-${account.newsletter}`]: '1', 'also-999999': '1' });
  assert.deepEqual(await verdicts('bea@sandbox.test'), ['deny', 'deny']);
  await post(url, { action: 'resubscribe' });
  assert.deepEqual(await verdicts('bea@sandbox.test'), ['allow', 'deny']);
});

test('all broadcasts of the instance can be left at once', async () => {
  const [mail] = await broadcastTo(['carla@sandbox.test']);
  const url = pageUrl(service, 'unsubscribe', mail?.mail_id ?? '');
  await post(url, { action: 'unsubscribe', all: '1' });
  assert.deepEqual(await verdicts('carla@sandbox.test'), ['deny', 'deny']);
  const { json } = await account.api.post('/v1/broadcasts/audience', { purpose_id: account.newsletter });
  assert.ok(
    json.left_out.some(({ reason }: { reason: string }) => reason === 'recipient_unsubscribed'),
    JSON.stringify(json),
  );
});

test('who withdraws while it runs and was not attempted gets nothing', async () => {
  await service.stop();
  service = await startTestService({ roles: 'api,web,jobs' });
  account = await openBroadcastAccount(service);
  for (const name of ['dora', 'eva', 'fay']) await account.recordAllow(`${name}@sandbox.test`);
  const { id } = await account.draft();
  await account.send(id);
  const sent = await account.inState(id, 'sent');
  assert.equal(sent.progress.accepted, 3);
  await account.recordDeny('dora@sandbox.test');
  const eva = (await account.mailsOf(sent)).find(({ recipient }) => recipient === 'eva@sandbox.test');
  await post(pageUrl(service, 'unsubscribe', eva?.mail_id ?? ''), { 'List-Unsubscribe': 'One-Click' });
  const delivery = await startTestService({ roles: 'delivery', database: service.database });
  try {
    const mails = await waitFor(
      async () => {
        const found = await account.mailsOf(sent);
        return found.every(({ status }) => status === 3 || status === 4) && found;
      },
      { timeout_ms: 30_000, what: 'every mail sent or dropped' },
    );
    assert.deepEqual(
      mails.map(({ status }) => status),
      [4, 4, 3],
    );
  } finally {
    await delivery.stop();
  }
  const captured = await service.db.query<{ recipient: string }>(
    'select m.recipient from sandbox_messages s join mails m using (mail_id)',
  );
  assert.deepEqual(captured, [{ recipient: 'fay@sandbox.test' }]);
});
