import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import type { Environment } from '../../base/config.ts';
import { runCommandLine } from '../command-line.ts';

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

async function run(words: string[], env: Environment): Promise<Result> {
  const output = { stdout: '', stderr: '' };
  const code = await runCommandLine(words, {
    env,
    out: (text) => (output.stdout += text),
    err: (text) => (output.stderr += text),
  });
  // What doctor found.
  const found = process.exitCode === 1 ? 1 : 0;
  process.exitCode = undefined;
  return { code: code || found, ...output };
}

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'chq-commands-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A database of one's own with a hand on it. */
async function makeDatabase(t: TestContext, options = {}): Promise<{ env: Environment; client: Client }> {
  const database = await createTestDatabase(options);
  const client = new Client(database.connection);
  await client.connect();
  t.after(async () => {
    await client.end();
    await database.drop();
  });
  return { env: { DATABASE_URL: database.url, CHASQUI_DATA_DIR: makeFolder(t) }, client };
}

/** Everything that a command could make or change. */
async function contentOf(client: Client): Promise<unknown[]> {
  const { rows } = await client.query(`select relname as name, relkind::text as kind from pg_class
    where relnamespace = 'public'::regnamespace order by 1`);
  const exists = rows.some(({ name }: { name: string }) => name === 'schema_migrations');
  const applied = exists ? await client.query('select * from schema_migrations order by name') : { rows: [] };
  return [...rows, ...applied.rows];
}

const words: string[][] = [
  ['instance', 'list'],
  ['instance', 'create', '--slug', 'acme', '--name', 'Acme'],
  [
    'user',
    'create',
    '--email',
    'a@b.cl',
    '--password',
    'a long password',
    '--instance',
    'a',
    '--role',
    'owner',
  ],
  ['domain', 'create', '--instance', 'acme', 'acme.cl'],
  ['queue', 'show'],
  ['doctor'],
];

test('every command in a folder without data says so and makes nothing', async (t) => {
  const folder = makeFolder(t);
  const data_dir = path.join(folder, 'data');
  for (const each of words) {
    const { code, stdout, stderr } = await run(each, { CHASQUI_DATA_DIR: data_dir });
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, each.join(' '));
    assert.match(
      stderr,
      /^chasqui: There is no database in \S+: nothing was created\. Start the service, .*`chasqui migrate`.*\n$/,
    );
  }
  assert.deepEqual(readdirSync(folder), []);
});

const states: [string, string, RegExp][] = [
  ['empty', '', /The database is empty: nothing was changed\. Make its schema with `chasqui migrate`/],
  [
    'older',
    "drop table write_probes; delete from schema_migrations where name >= '0040'",
    /The schema of the database is older than this version by \d+ migration\(s\), from 0040_\S+ on: nothing was changed\. Run `chasqui migrate`/,
  ],
  [
    'newer',
    "insert into schema_migrations (name, checksum) values ('9999_new__create.sql', 'x')",
    /The database has migration 9999_new__create\.sql, which this version does not know: .*newer version\. Run that one/,
  ],
];
for (const [state, sql, message] of states) {
  test(`every command on a database whose schema is ${state} says what to do and changes nothing`, async (t) => {
    const { env, client } = await makeDatabase(t, { empty: state === 'empty' });
    await client.query(sql);
    const before = await contentOf(client);
    for (const each of words) {
      const { code, stdout, stderr } = await run(each, env);
      assert.equal(code, 1, each.join(' '));
      if (each[0] === 'doctor') assert.match(stdout, new RegExp(`\nFAIL  schema +${message.source}`));
      else assert.match(stderr, message, each.join(' '));
    }
    assert.deepEqual(await contentOf(client), before);
    assert.deepEqual(readdirSync(env['CHASQUI_DATA_DIR'] ?? ''), []);
  });
}

test('migrate makes the schema, after which commands work', async (t) => {
  const { env } = await makeDatabase(t, { empty: true });
  assert.equal((await run(['migrate'], env)).code, 0);
  assert.equal((await run(words[1] ?? [], env)).code, 0);
  const { stdout } = await run(['doctor'], env);
  assert.match(stdout, /^ok {4}root secret +none yet/m);
  assert.equal(existsSync(path.join(env['CHASQUI_DATA_DIR'] ?? '', 'secret')), false);
});
