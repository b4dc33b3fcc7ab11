import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import type { Environment } from '../../base/config.ts';
import { runCommandLine } from '../command-line.ts';
import { createProgress, formatBytes } from '../progress.ts';

async function makeDatabase(t: TestContext, options = {}): Promise<TestDatabase & { client: Client }> {
  const database = await createTestDatabase(options);
  const client = new Client(database.connection);
  await client.connect();
  t.after(async () => {
    await client.end();
    await database.drop();
  });
  return { ...database, client };
}

async function run(words: string[], env: Environment): Promise<{ code: number; said: string }> {
  let said = '';
  const add = (text: string): void => void (said += text);
  return { code: await runCommandLine(words, { env, out: add, err: add }), said };
}

test('a backup that lacks mails or evidence is restored only with --ignore-verification', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'chq-backup-command-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'backup.tar');
  const source = await makeDatabase(t);
  await source.client.query(
    `insert into instances (slug, name) values ('acme', 'Acme');
     insert into messages (msg_id, instance_id, sender_id, source, stream, test_mode, rcpt_count, size_bytes, content_kind,
       envelope)
     select uuid_at(now()), id, 1, 'http', 'transactional', false, 1, 0, 'parts', '{}' from instances`,
  );
  const env = { CHASQUI_DATA_DIR: folder, DATABASE_URL: source.url };
  const made = await run(['backup', file], env);
  assert.equal(made.code, 0, made.said);
  assert.match(made.said, /The root secret is not in it\. Keep it too/);

  const target = await makeDatabase(t, { empty: true });
  const restore = ['restore', file, '--to', target.url];
  const refused = await run(restore, env);
  assert.equal(refused.code, 1);
  assert.match(refused.said, /^chasqui: What the backup has is not complete: 1 accepted ≠ 0 received.*\n$/);
  const tables = `select from pg_class where relnamespace = 'public'::regnamespace`;
  assert.equal((await target.client.query(tables)).rowCount, 0);

  const kept = await run([...restore, '--ignore-verification'], env);
  assert.equal(kept.code, 0, kept.said);
  assert.match(kept.said, /NOT VERIFIED: 1 accepted ≠ 0 received/);
  assert.equal((await target.client.query('select from messages')).rowCount, 1);
  const again = await run(restore, env);
  assert.match(
    again.said,
    /^chasqui: The database is not empty \(it has acme_accounts\): nothing was changed\./,
  );
});

test('a terminal sees how far long work is; a log does not', () => {
  for (const isTTY of [true, false]) {
    let text = '';
    const progress = createProgress('backup', { isTTY, write: (more) => (text += more) });
    progress.show(34_000_000, 100_000_000, 'mails_2026_11');
    progress.show(35_000_000, 100_000_000, 'too soon after');
    progress.end();
    assert.equal(text.includes('backup: 34 %, 34 MB, 0 s  mails_2026_11'), isTTY);
    assert.ok(!text.includes('too soon'));
    assert.ok(isTTY ? text.endsWith('\u001B[2K') : text === '');
  }
  assert.deepEqual([0, 999, 1_500, 12_345_678].map(formatBytes), ['0 bytes', '999 bytes', '1.5 kB', '12 MB']);
});
