import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { openAccount, startAccepting, storedMails, type Account } from './account.fixture.ts';

let service: TestService;
let account: Account;
let developer: PanelUser;
before(async () => {
  service = await startAccepting();
  account = await openAccount(service);
  developer = await signIn(service, account, 'developer');
});
after(async () => await service.stop());

const path = '/v1/private/mail-templates';
const content = { subject: 'Order {{ n }}', source: '<p>{{ n }} {{ recipient.email }}</p>' };

async function create(template: object = content): Promise<number> {
  return (await developer.post(path, { name: 'T', ...template })).json.id;
}

const testSend = async (id: number, body: object, user = developer) =>
  await user.post(`${path}/${id}/test-send`, body);

test('a draft goes to the sandbox from its own sender, in test mode and with variables', async () => {
  const id = await create();
  const { status, json, text } = await testSend(id, { recipient: 'sandbox', template_variables: { n: 7 } });
  assert.equal(status, 200, text);
  assert.equal(json.to, 'delivered@sandbox.test');
  const [mail] = await storedMails(service, json.message_id);
  assert.deepEqual([mail?.recipient, mail?.subject, mail?.test_mode], [json.to, 'Order 7', true]);
  const [event] = await service.db.query<{ actor_id: string; details: object }>(
    `select actor_id, details from audit_events where action = 'mail_template.test_sent' and object_id = $1`,
    [String(id)],
  );
  assert.deepEqual(event, {
    actor_id: String(developer.id),
    details: { to: json.to, msg_id: json.message_id },
  });
});

test('a test to oneself needs a sender of a verified domain', async () => {
  const id = await create();
  const refused = await testSend(id, { recipient: 'self' });
  assert.deepEqual([refused.status, refused.json.code], [409, 'sandbox_relay_restricted']);
  const sent = await testSend(id, { recipient: 'self', sender_email: account.sender.email });
  assert.deepEqual([sent.status, sent.json.to], [200, developer.login.email]);
  const unknown = await testSend(id, { recipient: 'self', sender_email: 'nobody@example.com' });
  assert.equal(unknown.json.code, 'sender_not_found');
});

test('a test goes to colleagues, and to nobody else', async () => {
  const id = await create();
  const colleague = await signIn(service, account, 'viewer');
  const test_of = { recipient: 'members', sender_email: account.sender.email };
  const sent = await testSend(id, { ...test_of, member_ids: [developer.id, colleague.id] });
  assert.equal(sent.status, 200, sent.text);
  assert.deepEqual(
    (await storedMails(service, sent.json.message_id)).map(({ recipient }) => recipient).toSorted(),
    [developer.login.email, colleague.login.email].toSorted(),
  );
  const stranger = await signIn(service, await openAccount(service), 'viewer');
  const refused = await testSend(id, { ...test_of, member_ids: [stranger.id] });
  assert.deepEqual([refused.status, refused.json.code], [404, 'user_not_found']);
  assert.equal((await testSend(id, test_of)).json.errors[0].pointer, '/member_ids');
});

test('content that is not saved is sent in place of what is', async () => {
  const id = await create();
  await developer.post(`${path}/${id}/publish`);
  const unsaved = { subject: 'Unsaved {{ n }}', source: '<b>{{ n }}</b>' };
  const { json } = await testSend(id, {
    recipient: 'sandbox',
    template_variables: { n: 1 },
    content: unsaved,
  });
  const [row] = await service.db.query<{ html: string; template_id: number }>(
    `select convert_from(html, 'UTF8') as html, template_id from messages where msg_id = $1`,
    [json.message_id],
  );
  assert.deepEqual(row, { html: '<b>{{ n }}</b>', template_id: id });
  assert.equal((await storedMails(service, json.message_id))[0]?.subject, 'Unsaved 1');
  assert.equal((await developer.get(`${path}/${id}`)).json.subject, content.subject);
  const broken = await testSend(id, { recipient: 'sandbox', content: { ...unsaved, source: '{% if %}' } });
  assert.deepEqual([broken.status, broken.json.errors[0].pointer], [422, '/source']);
});

test('a test without content, template or right is refused', async () => {
  const empty = await testSend(await create({}), { recipient: 'sandbox' });
  assert.equal(empty.json.code, 'template_content_required');
  assert.equal((await testSend(999_999, { recipient: 'sandbox' })).json.code, 'mail_template_not_found');
  const id = await create();
  const viewer = await signIn(service, account, 'viewer');
  assert.equal((await testSend(id, { recipient: 'sandbox' }, viewer)).status, 403);
  assert.equal((await testSend(id, { recipient: 'ana@example.com' })).status, 422);
});

test('a person sends ten tests a minute', async () => {
  const id = await create();
  const other = await signIn(service, account, 'developer');
  const send = async () => (await testSend(id, { recipient: 'sandbox' }, other)).status;
  const answers: number[] = [];
  for (let n = 0; n < 12; n += 1) answers.push(await send());
  assert.deepEqual(
    answers.slice(0, 10),
    Array.from({ length: 10 }, () => 200),
  );
  assert.ok(answers.includes(429), String(answers));
});
