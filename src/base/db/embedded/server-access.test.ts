import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { makeTemplate, makeTestBed, query, removeTemplate } from './embedded-test-bed.fixture.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';

const needsRoot = process.getuid?.() === 0 ? false : 'only root can become other users';

let template = '';
before(async () => {
  template = await makeTemplate();
});
after(() => removeTemplate(template));

/** What the server says to a connection with that password. */
async function refusal({ connection }: EmbeddedPostgres, password: string): Promise<string> {
  const client = new Client({ ...connection, password, ssl: false });
  client.on('error', () => {});
  try {
    await client.connect();
    return 'connected';
  } catch (error) {
    return (error as { code?: string }).code ?? (error as Error).message;
  } finally {
    await client.end();
  }
}

test('the server requires a password from a file that only its service can read', async (t) => {
  const bed = makeTestBed(t);
  const server = await bed.open({});
  const file = path.join(bed.dir, 'data', 'database-password');
  const stat = statSync(file);
  assert.deepEqual([stat.mode & 0o777, stat.uid], [0o600, process.getuid?.()]);
  assert.equal(server.connection.password, readFileSync(file, 'utf8').trim());
  for (const wrong of ['', 'wrong', ` ${server.connection.password} x`]) {
    assert.match(await refusal(server, wrong), /^28P01$|password/, wrong);
  }
  assert.equal(await query(server, 'SELECT 1 AS value'), 1);
  const rules = `SELECT string_agg(concat_ws(' ', type, auth_method), ',') AS value FROM pg_hba_file_rules`;
  assert.equal(await query(server, rules), 'local scram-sha-256');
  // A user who can read the data folder does not find it there either.
  const stored = await query(server, `SELECT rolpassword AS value FROM pg_authid WHERE rolname = 'chasqui'`);
  assert.match(String(stored), /^SCRAM-SHA-256\$4096:/);
});

test('a process of the server’s own user cannot connect under root', { skip: needsRoot }, async (t) => {
  const bed = makeTestBed(t, template);
  const server = await bed.open({});
  const { uid, gid } = statSync(server.connection.host);
  const script = `
    const { readFileSync } = await import('node:fs');
    const { Client } = await import(process.argv[1]).then((all) => all.default ?? all);
    const { password: _, ...connection } = JSON.parse(process.argv[2]);
    try { readFileSync(process.argv[3]); console.log('read'); } catch (error) { console.log(error.code); }
    for (const password of ['', 'guess']) {
      const client = new Client({ ...connection, password });
      client.on('error', () => {});
      await client.connect().then(() => console.log('connected'), (error) => console.log(error.code ?? error.message));
      await client.end();
    }`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      script,
      import.meta.resolve('pg'),
      JSON.stringify(server.connection),
      path.join(bed.dir, 'data', 'database-password'),
    ],
    { uid, gid, cwd: '/', encoding: 'utf8' },
  );
  const [file, ...answers] = stdout.trim().split('\n');
  assert.equal(file, 'EACCES', stderr);
  assert.equal(answers.length, 2, stderr);
  for (const answer of answers) assert.match(answer, /^28P01$|password/);
});

test('data of a release that trusted everybody is served with a password from then on', async (t) => {
  const bed = makeTestBed(t, template);
  const first = await bed.open({});
  await query(first, 'CREATE TABLE kept AS SELECT 42 AS value');
  await query(first, 'ALTER ROLE chasqui PASSWORD NULL');
  await first.stop();
  const data = path.join(bed.dir, 'data');
  const rules = path.join(data, 'postgres', 'pg_hba.conf');
  const { uid } = statSync(rules);
  writeFileSync(rules, 'local all all trust\n');
  rmSync(path.join(data, 'database-password'));
  const upgraded = await bed.open({});
  assert.equal(await query(upgraded, 'SELECT value FROM kept'), 42);
  assert.match(await refusal(upgraded, ''), /^28P01$|password/);
  assert.deepEqual([statSync(rules).uid, statSync(rules).mode & 0o777], [uid, 0o600]);
  const guest = await bed.openElsewhere();
  assert.equal(guest.opened?.attached, true);
  assert.equal(await query(guest.opened, 'SELECT value FROM kept'), 42);
});

test('a password that was lost is replaced, and one that stands is kept', async (t) => {
  const bed = makeTestBed(t, template);
  const first = await bed.open({});
  await first.stop();
  const second = await bed.open({});
  assert.equal(second.connection.password, first.connection.password);
  await second.stop();
  rmSync(path.join(bed.dir, 'data', 'database-password'));
  const third = await bed.open({});
  assert.notEqual(third.connection.password, first.connection.password);
  assert.equal(await query(third, 'SELECT 1 AS value'), 1);
});

test('tells another user whose database it is', { skip: needsRoot }, async (t) => {
  const bed = makeTestBed(t, template);
  const data = path.join(bed.dir, 'data');
  const server = await bed.open({});
  chmodSync(data, 0o777);
  const { uid, gid } = statSync(server.connection.host);
  const stranger = await bed.openElsewhere({}, { uid, gid });
  assert.match(stranger.error ?? '', /accessible only to the user of its service \(uid 0\)/);
});
