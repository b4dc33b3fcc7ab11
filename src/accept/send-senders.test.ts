import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem } from '../../test/acceptance/problems.fixture.ts';
import { createApi } from '../../test/support/api.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { createApiKey } from '../credentials/api-keys.ts';
import { insertSender, openAccount, startAccepting, storedMails, type Account } from './account.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  account = await openAccount(service);
});
after(async () => await service.stop());

const mailboxes = (...emails: string[]) => emails.map((email) => ({ email }));

test('the sandbox sender reaches only the sandbox, in to, cc and bcc', async () => {
  const inside = mailboxes('a@sandbox.test', 'b@SANDBOX.test', 'c@other.sandbox.test', 'd@a.b.sandbox.test.');
  assert.equal((await account.send({ to: inside })).status, 200);
  for (const email of ['a@example.com', 'a@notsandbox.test', 'a@sandbox.test.example', 'a@sandbox.tests']) {
    for (const list of ['to', 'cc', 'bcc']) {
      const to = mailboxes('a@sandbox.test');
      const answer = await account.send({ to, [list]: [...to, ...mailboxes(email)] });
      assertProblem(answer, 'sandbox_relay_restricted');
    }
  }
});

test('any sender may write to the sandbox, and to both at once', async () => {
  const to = mailboxes('a@sandbox.test', 'ana@example.com');
  const { status, json } = await account.sendOut(1, { to });
  assert.equal(status, 200);
  const mails = await storedMails(service, json.message_id);
  assert.deepEqual(
    mails.map(({ is_queued }) => is_queued),
    [true, true],
  );
});

test('a key for the sandbox only keeps every sender inside of it, in whatever list', async () => {
  const key = { name: 'agent', scopes: ['mail:send'], ip_allowlist: [], sandbox_only: true };
  const { api_key } = await createApiKey(service.db, account.instance.id, {
    key,
    actor: { kind: 'operator' },
  });
  const api = createApi({ base_url: service.base_url, api_key, slug: account.instance.slug });
  const to = mailboxes('a@sandbox.test');
  const send = async (lists: object) =>
    await api.post('/v1/mails/send', {
      sender_email: account.sender.email,
      to,
      subject: 'Hello',
      html: '<p>Hello</p>',
      ...lists,
    });
  assert.equal((await send({ cc: mailboxes('b@deep.SANDBOX.test') })).status, 200);
  for (const list of ['to', 'cc', 'bcc']) {
    const refused = await send({ [list]: [...to, ...mailboxes('ana@example.com')], test_mode: true });
    assertProblem(refused, 'sandbox_relay_restricted');
    assert.match(refused.json.detail, /^These credentials/);
  }
});

test('a sender that is unknown, deleted or another instance’s is not found', async () => {
  const other = await openAccount(service);
  const { email, id } = await insertSender(service, {
    instance_id: account.instance.id,
    domain: 'gone.example',
  });
  assert.equal((await account.send({ sender_email: email })).status, 200);
  await service.db.query('update senders set deleted_at = now() where id = $1', [id]);
  await waitFor(async () => (await account.send({ sender_email: email })).status === 404, {
    timeout_ms: 4_000,
  });
  const strangers = [email, other.sender.email, `test@${other.instance.slug}.sandbox.test`, 'ñ@example.com'];
  for (const sender_email of strangers) {
    assertProblem(await account.send({ sender_email }), 'sender_not_found');
  }
});

test('a sender sends while all four records of its domain are verified', async () => {
  const domain = 'verified.example';
  const { email } = await insertSender(service, { instance_id: account.instance.id, domain });
  const become = async (column: string, status: string, expected: number): Promise<void> => {
    await service.db.query(`update domains set ${column} = $2 where domain = $1`, [domain, status]);
    await waitFor(async () => (await account.send({ sender_email: email })).status === expected, {
      timeout_ms: 4_000,
      what: `${expected} with ${column} ${status}`,
    });
  };
  assert.equal((await account.send({ sender_email: email })).status, 200);
  for (const column of ['mx_status', 'spf_status', 'dkim_status', 'dmarc_status']) {
    for (const status of ['pending', 'failed', 'revoked']) await become(column, status, 409);
    assertProblem(await account.send({ sender_email: email }), 'domain_sender_not_verified');
    await become(column, 'verified', 200);
  }
});

test('the mail keeps name and stream of its sender', async () => {
  const more = { name: 'Ñandú, Ltd.', stream: 'broadcast' };
  const { email, id } = await insertSender(service, {
    instance_id: account.instance.id,
    domain: 'broadcast.example',
    more,
  });
  const { json } = await account.send({ sender_email: email.toUpperCase() });
  const [row] = await service.db.query(
    `select g.sender_id, g.stream, g.source, g.envelope -> 'from' as "from", m.sender_id as of_mail, m.sender_email, q.priority
     from messages g join mails m using (msg_id) join queue q using (mail_id) where g.msg_id = $1`,
    [json.message_id],
  );
  assert.deepEqual(row, {
    sender_id: id,
    stream: 'broadcast',
    source: 'http',
    from: { address: email, name: 'Ñandú, Ltd.' },
    of_mail: id,
    sender_email: email,
    priority: 1,
  });
});
