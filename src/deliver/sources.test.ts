import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { awaitNotifications } from '../../test/support/await-notifications.ts';
import { drop } from '../../test/support/remote-mx.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { addSourceAddress, assignPool, removeSourceAddress } from '../sources/source-addresses.ts';
import { addVerifiedDomain, sendFrom, startDeliveryBed, type DeliveryBed } from './delivery-bed.fixture.ts';

const operator = { kind: 'operator' } as const;
let bed: DeliveryBed;
before(async () => {
  bed = await startDeliveryBed();
});
after(async () => await bed.stop());

const add = async (address: string, pool: string, warms_up = false): Promise<void> =>
  void (await addSourceAddress(
    bed.service.db,
    { address, ehlo_name: `out-${address.replaceAll('.', '-')}.example.com`, pool, warms_up },
    operator,
  ));
const waitingFor = async (recipient: string) => {
  const [row] = await bed.service.db.query<{ attempts: number; last_error: string | null }>(
    'select attempts, last_error from queue q join mails m using (mail_id) where m.recipient = $1 and q.lease is null',
    [recipient],
  );
  return row;
};

test('mail goes out from the pool of its instance, by its name, on connections of its own', async (t) => {
  await add('127.0.0.201', 'default');
  await add('127.0.0.202', 'bulk');
  const other = await bed.service.tenant();
  await addVerifiedDomain(bed.service, other, 'other.example.test');
  await assignPool(bed.service.db, other.instance.id, { pool: 'bulk', actor: operator });
  await awaitNotifications(bed.service);
  const remote = await bed.remote(t);
  await bed.send(`a@${remote.domain}`);
  await sendFrom(other, `b@${remote.domain}`, { sender_email: 'hi@other.example.test' });
  const [event] = await bed.becomes(`a@${remote.domain}`, 3);
  assert.equal(event?.data['local_ip'], '127.0.0.201');
  const [second] = await bed.becomes(`b@${remote.domain}`, 3);
  assert.equal(second?.data['local_ip'], '127.0.0.202');
  const greetings = remote.mx.sessions.map(({ remote_address, dialogue }) => [
    remote_address.split(':')[0],
    dialogue.find(({ line }) => line.startsWith('EHLO'))?.line,
  ]);
  assert.deepEqual(
    greetings.toSorted((a, b) => String(a).localeCompare(String(b))),
    [
      ['127.0.0.201', 'EHLO out-127-0-0-201.example.com'],
      ['127.0.0.202', 'EHLO out-127-0-0-202.example.com'],
    ],
  );
});

test('mail over the daily limit of a new address is sent from another one of its pool, or waits without an attempt', async (t) => {
  await removeSourceAddress(bed.service.db, '127.0.0.201', operator);
  await add('127.0.0.203', 'default', true);
  await awaitNotifications(bed.service);
  const remote = await bed.remote(t);
  const to = Array.from({ length: 50 }, (_, index) => ({ email: `n${index}@${remote.domain}` }));
  await bed.send('', { to });
  await remote.mx.waitForMessages(50, 30_000);
  assert.ok(remote.mx.sessions.every(({ remote_address }) => remote_address.startsWith('127.0.0.203')));
  await bed.send(`over@${remote.domain}`);
  const isPutOff = async () => (await waitingFor(`over@${remote.domain}`))?.last_error === 'warming_up';
  await waitFor(isPutOff, { what: 'the mail to be put off' });
  assert.deepEqual(await waitingFor(`over@${remote.domain}`), { attempts: 0, last_error: 'warming_up' });
  assert.ok((await bed.secondsUntilDue(`over@${remote.domain}`)) > 3_000);
  assert.deepEqual(await bed.becomes(`over@${remote.domain}`, 2), [], 'nothing happened to it');
  // Its cap is of one provider: others get mail.
  const elsewhere = await bed.remote(t);
  await bed.send(`a@${elsewhere.domain}`);
  await bed.becomes(`a@${elsewhere.domain}`, 3);
  await add('127.0.0.204', 'default');
  await awaitNotifications(bed.service);
  await bed.send(`more@${remote.domain}`);
  const [event] = await bed.becomes(`more@${remote.domain}`, 3);
  assert.equal(event?.data['local_ip'], '127.0.0.204');
});

test('a pool of which no address is on this node: the mail waits for one that has it', async (t) => {
  const far = await bed.service.tenant();
  await addVerifiedDomain(bed.service, far, 'far.example.test');
  await add('192.0.2.1', 'far');
  await assignPool(bed.service.db, far.instance.id, { pool: 'far', actor: operator });
  await awaitNotifications(bed.service);
  const remote = await bed.remote(t);
  await sendFrom(far, `a@${remote.domain}`, { sender_email: 'hi@far.example.test' });
  await waitFor(async () => (await waitingFor(`a@${remote.domain}`))?.last_error === 'no_source_address', {
    what: 'the mail to be put off',
  });
  assert.equal((await waitingFor(`a@${remote.domain}`))?.attempts, 0);
});

test('mail that no server listened to does not use up the day of a new address', async (t) => {
  const cold = await bed.service.tenant();
  await addVerifiedDomain(bed.service, cold, 'cold.example.test');
  await add('127.0.0.205', 'cold', true);
  await assignPool(bed.service.db, cold.instance.id, { pool: 'cold', actor: operator });
  await awaitNotifications(bed.service);
  const remote = await bed.remote(t, { script: { greeting: drop } });
  const many = (name: string) =>
    Array.from({ length: 50 }, (_, index) => ({ email: `${name}${index}@${remote.domain}` }));
  const send = async (to: { email: string }[]) =>
    await sendFrom(cold, '', { to, sender_email: 'hi@cold.example.test' });
  await send(many('unheard'));
  const deferred = `select count(*)::int as count from mails where instance_id = $1 and status = 5`;
  const countDeferred = async () =>
    (await bed.service.db.query<{ count: number }>(deferred, [cold.instance.id]))[0]?.count;
  await waitFor(async () => (await countDeferred()) === 50, {
    timeout_ms: 30_000,
    what: '50 deferred mails',
  });
  remote.mx.script = {};
  await send(many('heard'));
  await remote.mx.waitForMessages(50, 30_000);
  await send([{ email: `over@${remote.domain}` }]);
  const isPutOff = async () => (await waitingFor(`over@${remote.domain}`))?.last_error === 'warming_up';
  await waitFor(isPutOff, { what: 'the mail over the cap to be put off' });
});

test('mail that could not be prepared does not use up the day of a new address either', async (t) => {
  const { db } = bed.service;
  const unsigned = await bed.service.tenant();
  await addVerifiedDomain(bed.service, unsigned, 'unsigned.example.test');
  await add('127.0.0.206', 'unsigned', true);
  await assignPool(db, unsigned.instance.id, { pool: 'unsigned', actor: operator });
  await awaitNotifications(bed.service);
  const remote = await bed.remote(t);
  await db.query(
    `delete from dkim_keys where domain_id = (select id from domains where domain = 'unsigned.example.test')`,
  );
  const to = Array.from({ length: 20 }, (_, index) => ({ email: `n${index}@${remote.domain}` }));
  await sendFrom(unsigned, '', { to, sender_email: 'hi@unsigned.example.test' });
  const count = `select count(*)::int as count from mails where instance_id = $1 and status = 5`;
  await waitFor(
    async () => (await db.query<{ count: number }>(count, [unsigned.instance.id]))[0]?.count === 20,
    { timeout_ms: 30_000, what: '20 deferred mails' },
  );
  const [row] = await db.query<{ used: number }>(
    `select used from source_usage u join source_addresses s on s.id = u.source_id where s.address = '127.0.0.206'`,
  );
  assert.ok(Number(row?.used) <= 5, `a lease of a tenth of the day's cap, not ${row?.used}`);
});
