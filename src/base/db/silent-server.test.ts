import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabaseLink } from '../../../test/acceptance/database-link.fixture.ts';
import { Database } from './database.ts';
import { createNotifications } from './notifications.ts';
import { createWriteProbe } from './write-probe.ts';

test('connections end although the server is silent', async (t) => {
  const link = await createDatabaseLink();
  t.after(async () => await link.stop());
  const { connection } = link.database;
  const on_error = (): void => undefined;
  const db = new Database({ connection, pool_size: 2, pipelines: 1, on_error });
  const notifications = createNotifications(connection, on_error);
  notifications.on('chasqui_queue', () => undefined);
  const probe = createWriteProbe({ connection, on_error });
  await db.query('select 1');
  await notifications.start();
  await probe.check();
  link.freeze();
  const ending = { db: db.end(100), notifications: notifications.stop(), probe: probe.end() };
  for (const [what, end] of Object.entries(ending)) {
    const isOver = await Promise.race([end.then(() => true), delay(3_000, false, { ref: false })]);
    assert.ok(isOver, what);
  }
});
