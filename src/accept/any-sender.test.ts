import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem } from '../../test/acceptance/problems.fixture.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { updateDomain } from '../domains/change-domain.ts';
import { insertSender, openAccount, startAccepting, storedMails, type Account } from './account.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  account = await openAccount(service);
});
after(async () => await service.stop());

const actor = { kind: 'operator' } as const;

/** A domain of which every address may send, and its default sender. */
async function openDomain(domain: string, more: Record<string, unknown> = {}) {
  const { id: instance_id } = account.instance;
  const sender = await insertSender(service, { instance_id, domain, more });
  const [row] = await service.db.query<{ domain_id: number }>('select domain_id from senders where id = $1', [
    sender.id,
  ]);
  const id = row?.domain_id ?? 0;
  const change = async (any_sender: boolean): Promise<void> =>
    await service.db.transaction(
      async (tx) =>
        await updateDomain(tx, instance_id, {
          id,
          changes: { any_sender, default_sender_id: sender.id },
          actor,
        }),
    );
  await change(true);
  return { ...sender, domain_id: id, change };
}

test('any address of an open domain sends with the stream and the tracking of its default sender', async () => {
  const sender = await openDomain('open.example', { name: 'Acme', stream: 'broadcast', track_clicks: false });
  for (const sender_email of ['Juan.Perez+1@open.example', 'juan@OPEN.example', '"a b"@open.example']) {
    const { status, json, text } = await account.send({ sender_email });
    assert.equal(status, 200, text);
    const [row] = await service.db.query(
      `select g.sender_id, g.stream, g.envelope -> 'from' as "from", m.sender_email
       from messages g join mails m using (msg_id) where g.msg_id = $1`,
      [json.message_id],
    );
    const address = sender_email.replace('OPEN', 'open');
    assert.deepEqual(row, {
      sender_id: sender.id,
      stream: 'broadcast',
      from: { address, name: 'Acme' },
      sender_email: address,
    });
  }
  const sender_email = 'juan@open.example';
  const named = await account.send({ sender_email, sender_name: 'Juan Pérez' });
  const [row] = await service.db.query(
    `select envelope -> 'from' as "from" from messages where msg_id = $1`,
    [named.json.message_id],
  );
  assert.deepEqual(row, { from: { address: sender_email, name: 'Juan Pérez' } });
  const refused = await account.send({ sender_email, tracking: { clicks: true } });
  assert.match(refused.json.errors[0].code, /tracking_off/);
});

test('a registered sender of an open domain keeps its own settings', async () => {
  const open = await openDomain('mixed.example', { stream: 'broadcast' });
  await service.db.query(
    `insert into senders (instance_id, domain_id, name, email_address) values ($1, $2, 'Orders', 'Orders@mixed.example')`,
    [account.instance.id, open.domain_id],
  );
  const streamOf = async (sender_email: string) => {
    const { json } = await account.send({ sender_email });
    const [row] = await service.db.query<{ stream: string }>(
      'select stream from messages where msg_id = $1',
      [json.message_id],
    );
    return row?.stream;
  };
  await waitFor(async () => (await streamOf('orders@mixed.example')) === 'transactional', {
    timeout_ms: 4_000,
  });
  assert.equal(await streamOf('other@mixed.example'), 'broadcast');
});

test('the consent that the default sender requires is required of every address', async () => {
  const [purpose] = await service.db.query<{ id: number }>(
    `select id from consent_purposes where instance_id = $1 and code = 'newsletter'`,
    [account.instance.id],
  );
  await openDomain('consent.example', { requires_consent: true, consent_purpose_id: purpose?.id });
  const { json } = await account.send({ sender_email: 'anyone@consent.example' });
  const [mail] = await storedMails(service, json.message_id);
  assert.deepEqual([mail?.status, mail?.reason], [4, 'consent_missing']);
});

test('an open domain belongs to its instance, sends while it is verified, and can be closed', async () => {
  const { change, email } = await openDomain('closed.example');
  const sender_email = 'anyone@closed.example';
  assert.equal((await account.send({ sender_email })).status, 200);
  assertProblem(await (await openAccount(service)).send({ sender_email }), 'sender_not_found');
  for (const other of ['anyone@sub.closed.example', 'ñandú@closed.example', 'anyone@closed.example.org']) {
    assertProblem(await account.send({ sender_email: other }), 'sender_not_found');
  }
  const becomes = async (code: string): Promise<unknown> =>
    await waitFor(async () => ((await account.send({ sender_email })).json.code ?? 'accepted') === code, {
      timeout_ms: 4_000,
      what: code,
    });
  await service.db.query(`update domains set spf_status = 'revoked' where domain = 'closed.example'`);
  await becomes('domain_sender_not_verified');
  await service.db.query(`update domains set spf_status = 'verified' where domain = 'closed.example'`);
  await becomes('accepted');
  await change(false);
  await becomes('sender_not_found');
  assert.equal((await account.send({ sender_email: email })).status, 200, 'the registered one sends on');
});

test('mails of a batch may have a sender each', async () => {
  await openDomain('batch.example');
  const mails = ['a', 'b', 'c'].map((name) => account.mail({ sender_email: `${name}@batch.example` }));
  const { json } = await account.api.post('/v1/mails/batch', { mails });
  const rows = await service.db.query<{ sender_email: string }>(
    'select sender_email from mails where msg_id = any ($1::uuid[]) order by sender_email',
    [json.data.map(({ message_id }: { message_id: string }) => message_id)],
  );
  assert.deepEqual(
    rows.map(({ sender_email }) => sender_email),
    ['a@batch.example', 'b@batch.example', 'c@batch.example'],
  );
});
