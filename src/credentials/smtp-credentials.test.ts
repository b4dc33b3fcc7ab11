import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { holdProcessTime } from '../../test/support/hold-process-time.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { systemClock } from '../base/clock.ts';
import { Database } from '../base/db/database.ts';
import { createNotifications, type Notifications } from '../base/db/notifications.ts';
import type { Problem } from '../base/errors/problem.ts';
import {
  createSmtpAuthentication,
  createSmtpCredential,
  revokeSmtpCredential,
  type AuthenticateSmtp,
} from './smtp-credentials.ts';

const actor = { kind: 'operator' } as const;
let database: TestDatabase;
let db: Database;
let notifications: Notifications;
let authenticate: AuthenticateSmtp;
before(async () => {
  database = await createTestDatabase();
  const { connection } = database;
  db = new Database({ connection, pool_size: 2, pipelines: 1, on_error: () => undefined });
  notifications = createNotifications(connection, () => undefined);
  authenticate = createSmtpAuthentication(db, notifications, systemClock);
  await notifications.start();
});
after(async () => {
  await notifications.stop();
  await db.end();
  await database.drop();
});

interface Login {
  instance_id: number;
  username: string;
  password: string;
}

async function newLogin(slug: string): Promise<Login> {
  const [instance] = await db.query<{ id: number }>(
    'insert into instances (slug, name) values ($1, $1) returning id',
    [slug],
  );
  const instance_id = instance?.id ?? 0;
  const made = await db.transaction(
    async (tx) => await createSmtpCredential(tx, instance_id, { name: 'test', actor }),
  );
  return { instance_id, username: made.username, password: made.password };
}

async function answer({ username, password }: Login, address = '192.0.2.1'): Promise<string> {
  return await authenticate({ username, password, address }).then(
    () => 'ok',
    (problem: Problem) => problem.code,
  );
}

async function becomes(login: Login, expected: string): Promise<void> {
  await waitFor(async () => (await answer(login)) === expected, { timeout_ms: 5_000, what: expected });
}

async function revoke({ instance_id, username }: Login): Promise<void> {
  await revokeSmtpCredential(db, instance_id, { username, actor, now: new Date() });
}

const set = async ({ instance_id }: Login, column: string, value: unknown): Promise<void> =>
  void (await db.query(`update instances set ${column} = $2 where id = $1`, [instance_id, value]));

test('a disabled instance, an address it does not allow and a revocation hold at once', async (t) => {
  // Nothing is forgotten because time has passed.
  holdProcessTime(t);
  const login = await newLogin('at-once');
  assert.equal(await answer(login), 'ok');
  await set(login, 'is_enabled', false);
  await becomes(login, 'forbidden');
  await set(login, 'is_enabled', true);
  await becomes(login, 'ok');
  await set(login, 'ip_allowlist', '{203.0.113.0/24}');
  await becomes(login, 'ip_not_allowed');
  assert.equal(await answer(login, '203.0.113.9'), 'ok');
  assert.equal(await answer({ ...login, password: 'another' }), 'unauthorized', 'told only to who has it');
  await set(login, 'ip_allowlist', '{}');
  await becomes(login, 'ok');
  await revoke(login);
  await becomes(login, 'unauthorized');
});

test('a node that listens again knows what changed meanwhile', async (t) => {
  holdProcessTime(t);
  const login = await newLogin('gap');
  assert.equal(await answer(login), 'ok');
  await db.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and application_name = 'chasqui listen'`,
  );
  await revoke(login);
  await becomes(login, 'unauthorized');
});

test('text without the form of a username is not looked up', async () => {
  const login = await newLogin('form');
  const id = login.username.slice('chq-'.length);
  const beforeCount = db.round_trips;
  for (const username of [id, `abc-${id}`, `${login.username}\n`, `chq-${'\0'.repeat(16)}`, '']) {
    assert.equal(await answer({ ...login, username }), 'unauthorized');
  }
  assert.equal(db.round_trips, beforeCount);
  assert.equal(await answer(login), 'ok');
});
