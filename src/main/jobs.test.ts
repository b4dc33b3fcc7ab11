import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { checkSchedule } from '../installation/check-job.ts';
import { jobs } from './jobs.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api' });
});
after(async () => await service.stop());

async function run(name: string): Promise<string> {
  const job = jobs.find((each) => each.name === name);
  assert.ok(job, name);
  return await job.run({ db: service.db, now: new Date(), isStopping: () => false });
}
const count = async (table: string): Promise<number> => {
  const [row] = await service.db.query<{ count: number }>(`select count(*) from ${table}`);
  return row?.count ?? -1;
};

test('jobs that delete data are marked destructive', () => {
  const harmless = jobs.filter(({ destructive }) => !destructive).map(({ name }) => name);
  assert.deepEqual(harmless, ['stats', 'partitions', 'subjects']);
});

test('sessions that are over and failed sign-ins that no longer count are cleared away', async () => {
  const { db } = service;
  await db.query(`insert into users (email, password_hash) values ('ana@example.com', 'x')`);
  await db.query(
    `insert into sessions (id, user_id, created_at, last_used_at, expires_at)
     select gen_random_uuid(), (select max(id) from users), now(), now(), now() + hours * interval '1 hour'
     from unnest(array[-2, -1, 1]) as hours`,
  );
  await db.query(
    `insert into login_attempts (key, failures, resets_at, blocked_until) values
       ('old', 3, now() - interval '1 hour', null), ('blocked', 9, now() - interval '1 hour', now() + interval '1 hour'),
       ('new', 1, now() + interval '1 hour', null)`,
  );
  assert.equal(await run('purge_logins'), '2 sessions, 0 password links, 1 failed sign-ins, 0 challenges');
  assert.deepEqual([await count('sessions'), await count('login_attempts')], [1, 2]);
});

test('deletes buckets that were unused for a day', async () => {
  await service.db.query(
    `insert into rate_buckets (key, tokens, refilled_at) values
       ('idle', 1, now() - interval '25 hours'), ('used', 1, now() - interval '23 hours')`,
  );
  assert.equal(await run('purge_rate_buckets'), '1 idle buckets');
});

test('the sandbox inbox keeps 30 days', async () => {
  const { instance } = await service.tenant();
  await service.db.query(
    `insert into sandbox_messages (mail_id, instance_id, recipient, raw, captured_at)
     select (left(uuid_at(now() - days * interval '1 day')::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid,
       $1, 'a@sandbox.test', 'x', now() - days * interval '1 day'
     from unnest(array[1, 29, 31, 40]) as days`,
    [instance.id],
  );
  assert.equal(await run('purge_sandbox_messages'), '2 sandbox messages');
  assert.equal(await count('sandbox_messages'), 2);
});

test('a process with role jobs runs all of them, and its metrics tell when', async () => {
  const node = await startTestService({ roles: 'jobs', database: service.database });
  try {
    const names = [...jobs, checkSchedule].map(({ name }) => name);
    await waitFor(
      async () => {
        const metrics = await (await fetch(`${node.metrics_url}/metrics`)).text();
        return names.every((name) => metrics.includes(`chasqui_job_failed{job="${name}"} 0`));
      },
      { what: 'all jobs to have run' },
    );
  } finally {
    await node.stop();
  }
});

test('a process whose clock is wrong deletes nothing, and records why', async (t) => {
  const { db, database } = service;
  await db.query(
    `insert into jobs (name, next_run_at) values ('retention', now() - interval '1 minute')
     on conflict (name) do update set next_run_at = excluded.next_run_at, last_run_at = null, last_error = null`,
  );
  const right = Date.now.bind(Date);
  t.mock.method(Date, 'now', () => right() + 60_000);
  const node = await startTestService({ roles: 'jobs', database });
  try {
    const state = await waitFor(
      async () => {
        const [row] = await db.query<{ last_run_at: Date | null; last_error: string | null }>(
          `select last_run_at, last_error from jobs where name = 'retention'`,
        );
        return row?.last_run_at && row;
      },
      { what: 'the job to be claimed' },
    );
    assert.match(state.last_error ?? '', /^not run: the clock of this node is 60 s ahead of the database's$/);
  } finally {
    await node.stop();
  }
});

test('a process that does not know the schema runs no job', async () => {
  const { db, database } = service;
  // As a newer one that migrates while this one starts.
  await db.query(`
    create function migrate_beside() returns trigger language plpgsql as $$ begin
      insert into schema_migrations (name, checksum) values ('9999_new__create.sql', 'x'); return null;
    end $$`);
  await db.query(
    'create trigger migrate_beside after insert on nodes for each row execute function migrate_beside()',
  );
  await db.query('update jobs set next_run_at = now(), last_run_at = null');
  const node = await startTestService({ roles: 'jobs', database });
  // Which waits for the first look for jobs, and for whatever it found.
  await node.stop();
  await db.query('drop function migrate_beside cascade');
  assert.deepEqual(await db.query(`delete from schema_migrations where name like '9999%' returning name`), [
    { name: '9999_new__create.sql' },
  ]);
  assert.deepEqual(await db.query('select name from jobs where last_run_at is not null'), []);
});
