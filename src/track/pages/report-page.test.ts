import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';
import { acceptedMail, leaveRetention } from '../../events/sent-mail.fixture.ts';
import { pageUrl } from './mail-pages.fixture.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api,web' });
  tenant = await service.tenant();
});
after(async () => await service.stop());

async function newMail(to: string): Promise<{ mail_id: string; url: string }> {
  const mail_id = await acceptedMail(service, tenant, to);
  return { mail_id, url: pageUrl(service, 'report', mail_id) };
}
async function post(url: string, fields: Record<string, string>): Promise<Response> {
  return await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });
}

test('the form offers every type that a person can choose', async () => {
  const { mail_id, url } = await newMail('form@sandbox.test');
  const html = await (await fetch(url)).text();
  const types = [...html.matchAll(/type="radio" name="type" value="(\w+)"/g)].map(([, type]) => type);
  assert.deepEqual(types, [
    'spam',
    'phishing_or_malware',
    'fraud',
    'adult_content',
    'violent_or_illegal',
    'intellectual_property',
    'other',
  ]);
  assert.equal((await tenant.api.get(`/v1/mail-complaints/${mail_id}`)).status, 404);
});

test('a report becomes a complaint, restricts the recipient, and is thanked for once and again', async () => {
  const { mail_id, url } = await newMail('angry@sandbox.test');
  for (const [type, comment] of [
    ['phishing_or_malware', '  They ask for\r\nmy <password>  '],
    ['spam', 'again'],
  ] as const) {
    const answer = await post(url, { type, comment });
    assert.equal(answer.status, 303);
    assert.equal(new URL(answer.headers.get('location') ?? '', url).href, url);
    assert.match(await (await fetch(url)).text(), /Thank you for your report/);
  }
  const { json } = await tenant.api.get(`/v1/mail-complaints/${mail_id}`);
  assert.deepEqual([json.type, json.comment], ['phishing_or_malware', 'They ask for\r\nmy <password>']);
  const { json: list } = await tenant.api.get('/v1/mail-restrictions?recipient=angry%40sandbox.test');
  assert.deepEqual(
    list.data.map(({ reason, mail_id: by }: Record<string, unknown>) => [reason, by]),
    [['complaint', mail_id]],
  );
  const next = await acceptedMail(service, tenant, 'ANGRY@sandbox.test');
  assert.equal((await tenant.api.get(`/v1/mails/${next}`)).json.status, 4);
});

test('a report without a type shows the form again with its text, and records nothing', async () => {
  const { mail_id, url } = await newMail('hasty@sandbox.test');
  for (const fields of [
    { comment: 'a "quote" </textarea><b>' },
    { type: 'unknown', comment: '' },
    { type: 'x' },
  ]) {
    const answer = await post(url, fields);
    const html = await answer.text();
    assert.equal(answer.status, 422);
    assert.match(html, /role="alert" id="missing"[^]*aria-describedby="missing"/);
    if ('comment' in fields && fields.comment) {
      assert.ok(html.includes('a &quot;quote&quot; &lt;/textarea&gt;&lt;b&gt;</textarea>'));
    }
  }
  assert.equal((await tenant.api.get(`/v1/mail-complaints/${mail_id}`)).status, 404);
});

test('a long comment is kept up to its length, a body beyond all measure is refused', async () => {
  const { mail_id, url } = await newMail('long@sandbox.test');
  assert.equal((await post(url, { type: 'other', comment: 'x'.repeat(70_000) })).status, 413);
  assert.equal((await post(url, { type: 'other', comment: `\0${'ñ'.repeat(5_000)}` })).status, 303);
  const { json } = await tenant.api.get(`/v1/mail-complaints/${mail_id}`);
  assert.equal(json.comment, `\u{fffd}${'ñ'.repeat(1_999)}`);
});

test('wrong tokens are 404, a mail that has left retention is told', async () => {
  const { mail_id } = await newMail('old@sandbox.test');
  const wrong = pageUrl(service, 'unsubscribe', mail_id).replace('/u/', '/report/');
  assert.equal((await post(wrong, { type: 'spam' })).status, 404);
  await leaveRetention(service, mail_id);
  const answer = await fetch(pageUrl(service, 'report', mail_id), { headers: { 'accept-language': 'es' } });
  assert.equal(answer.status, 410);
  assert.match(await answer.text(), /Este enlace es muy antiguo/);
});
