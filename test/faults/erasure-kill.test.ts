import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareCounts } from '../../src/activity/compare-counts.ts';
import { foldStatsJob } from '../../src/activity/fold-stats.ts';
import { verifyChain } from '../../src/consent/chain/verify-chain.ts';
import { examineMails } from '../../src/main/checks.ts';
import { acceptMail } from '../../src/webhooks/webhook-bed.fixture.ts';
import { makeBed } from '../support/service-process.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { startTestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';

/** Kills of the node that erases; `ROUNDS=10 node --test test/faults/erasure-kill.test.ts` is the long form. */
const rounds = Number(process.env['ROUNDS'] ?? 1);
const mailsPerRound = 1_000;
const person = 'killed@sandbox.test';

/** Copies one accepted mail, its message and an event with an address in it. */
const copies = `
  with source as (select * from mails where msg_id = $1 limit 1),
  ids as (
    select (left(uuid_at(now() + number * interval '1 millisecond')::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid as id
    from generate_series(1, $2) as number
  ), written as (
    insert into messages (msg_id, instance_id, sender_id, source, stream, test_mode, rcpt_count, size_bytes, content_kind,
      envelope, html)
    select ids.id, g.instance_id, g.sender_id, g.source, g.stream, g.test_mode, 1, g.size_bytes, g.content_kind, g.envelope, g.html
    from ids, messages g where g.msg_id = $1
  ), logged as (
    insert into events (event_id, mail_id, msg_id, instance_id, at, event, status, data)
    select ids.id, ids.id, ids.id, source.instance_id, now(), 'sent', 3, jsonb_build_object('response', 'OK ' || $3::text)
    from ids, source
  )
  insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email, subject,
    test_mode, received_at, sent_at)
  select ids.id, ids.id, source.instance_id, 3, $3, 'to', source.sender_id, source.sender_email, 'For ' || $3, false,
    now(), now()
  from ids, source`;

test('an erasure whose node is killed again and again ends, with nothing left and every count right', async (t) => {
  const database = await createTestDatabase();
  t.after(async () => await database.drop());
  const bed = makeBed(t, {
    DATABASE_URL: database.url,
    CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
    CHASQUI_DEMO: 'false',
    CHASQUI_LOG_LEVEL: 'error',
    CHASQUI_NODE_DEAD_SECONDS: '3',
  });
  const service = await startTestService({ database, roles: 'api' });
  t.after(async () => await service.stop());
  const { db } = service;
  const tenant = await service.tenant();
  const msg_id = await acceptMail(tenant, {
    to: [{ email: person, name: 'Killed' }],
    subject: `For ${person}`,
  });
  await db.query(copies, [msg_id, rounds * mailsPerRound, person]);
  const contacts = [{ contact: person, contact_type: 'email_address' }];
  const { json } = await tenant.api.post('/v1/rights-requests', { kind: 'erasure', contacts });
  await tenant.api.post(`/v1/rights-requests/${json.id}/fulfil`, {});

  const left = async (): Promise<number> => {
    const [row] = await db.query<{ count: number }>('select count(*) from mails where recipient = $1', [
      person,
    ]);
    return row?.count ?? 0;
  };
  /** As if no time had passed since the last run. */
  const due = async (): Promise<unknown> =>
    await db.query(
      `update jobs set next_run_at = now(), claimed_until = null, lease = null where name like 'rights_%' or name = 'subjects'`,
    );
  const total = rounds * mailsPerRound + 1;
  for (let round = 0; round < rounds; round += 1) {
    const node = await bed.serve(['--roles', 'jobs']);
    const goal = total - round * mailsPerRound - mailsPerRound * (0.2 + Math.random() * 0.6);
    await waitFor(
      async () => {
        await due();
        return (await left()) < goal;
      },
      { timeout_ms: 60_000, interval_ms: 20, what: 'some mails to be erased' },
    );
    node.child.kill('SIGKILL');
    await once(node.child, 'exit').catch(() => undefined);
    assert.ok((await left()) < total);
  }
  await bed.serve(['--roles', 'jobs']);
  await waitFor(
    async () => {
      await due();
      await sleep(200);
      return (await tenant.api.get(`/v1/rights-requests/${json.id}`)).json.status === 'fulfilled';
    },
    { timeout_ms: 90_000, what: 'the erasure to end' },
  );
  for (const table of [
    'mails',
    'messages',
    'events',
    'mail_subjects',
    'queue',
    'audit_events',
    'rights_requests',
  ]) {
    const traces = await db.query(`select from ${table} t where t::text ilike any ($1::text[]) limit 1`, [
      [`%${person}%`, `%${Buffer.from(person).toString('hex')}%`],
    ]);
    assert.equal(traces.length, 0, table);
  }
  await foldStatsJob.run({ db, now: new Date(), isStopping: () => false });
  assert.deepEqual((await compareCounts(db)).differences, []);
  await examineMails(db);
  assert.equal((await verifyChain(db, tenant.instance.id)).is_intact, true);
  const steps = (await tenant.api.get(`/v1/rights-requests/${json.id}`)).json.receipts;
  assert.deepEqual(
    steps.map(({ step }: { step: string }) => step),
    ['received', 'started', 'fulfilled'],
    'closed once',
  );
});
