import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { makeTemplate, makeTestBed, query, removeTemplate, until } from './embedded-test-bed.fixture.ts';

let template = '';
before(async () => {
  template = await makeTemplate();
});
after(() => removeTemplate(template));

test('a first start makes a private cluster in which the database answers', async (t) => {
  const bed = makeTestBed(t);
  const began = performance.now();
  const server = await bed.open({ durable: true });
  t.diagnostic(`cold start ${Math.round(performance.now() - began)} ms`);
  assert.equal(server.attached, false);
  assert.deepEqual(server.connection, {
    host: path.join(bed.dir, 'data', 'run'),
    port: 5432,
    user: 'chasqui',
    database: 'chasqui',
    password: readFileSync(path.join(bed.dir, 'data', 'database-password'), 'utf8').trim(),
  });
  assert.equal(await query(server, 'SELECT current_database() AS value'), 'chasqui');
  const settings = `SELECT string_agg(name || '=' || setting, ' ' ORDER BY name) AS value FROM pg_settings
    WHERE name IN ('fsync', 'listen_addresses', 'max_connections', 'server_encoding')`;
  assert.equal(
    await query(server, settings),
    'fsync=on listen_addresses= max_connections=100 server_encoding=UTF8',
  );
  assert.equal(
    await query(server, "SELECT datcollate AS value FROM pg_database WHERE datname='chasqui'"),
    'C',
  );
  for (const private_ of ['postgres', 'run']) {
    assert.equal(statSync(path.join(bed.dir, 'data', private_)).mode & 0o777, 0o700);
  }
});

test('stopping ends the server, twice is once, and the next start finds the data', async (t) => {
  const bed = makeTestBed(t, template);
  const first = await bed.open({});
  await query(first, 'CREATE TABLE kept AS SELECT 42 AS value');
  const owner = JSON.parse(readFileSync(path.join(bed.dir, 'data', 'owner.json'), 'utf8')) as { pid: number };
  assert.equal(owner.pid, process.pid);
  await Promise.all([first.stop(), first.stop()]);
  assert.deepEqual(
    readdirSync(path.join(bed.dir, 'data')).filter((name) => !/^postgres-\d/.test(name)),
    ['database-password', 'postgres', 'run'],
  );
  assert.equal(existsSync(path.join(bed.dir, 'data', 'postgres', 'postmaster.pid')), false);
  const began = performance.now();
  const second = await bed.open({});
  t.diagnostic(`warm start ${Math.round(performance.now() - began)} ms`);
  assert.equal(second.attached, false);
  assert.equal(await query(second, 'SELECT value FROM kept'), 42);
});

test('a second process attaches, and its stop leaves the server to its owner', async (t) => {
  const bed = makeTestBed(t, template);
  const owner = await bed.open({});
  const guest = await bed.openElsewhere();
  assert.equal(guest.opened?.attached, true);
  assert.deepEqual(guest.opened.connection, owner.connection);
  guest.child.stdin?.end();
  await until('the guest has ended', () => guest.child.exitCode === 0);
  const began = performance.now();
  const inProcess = await bed.open({});
  t.diagnostic(`attach ${Math.round(performance.now() - began)} ms`);
  assert.equal(inProcess.attached, true);
  await inProcess.stop();
  assert.equal(await query(owner, 'SELECT 1 AS value'), 1);
});

test('one of the processes that start at the same moment owns the server and the others attach', async (t) => {
  const bed = makeTestBed(t);
  const all = await Promise.all([
    bed.openElsewhere(),
    bed.openElsewhere(),
    bed.openElsewhere(),
    bed.open({}),
  ]);
  const opened = all.map((one) => ('connection' in one ? one : one.opened));
  assert.equal(opened.filter((one) => one?.attached === false).length, 1);
  for (const one of opened) assert.equal(await query(one, 'SELECT 1 AS value'), 1);
});

test('a setting the server refuses is reported in its own words; others hold, but none opens a network', async (t) => {
  const bed = makeTestBed(t, template);
  await assert.rejects(bed.open({ settings: { shared_buffers: 'plenty' } }), {
    name: 'EmbeddedPostgresError',
    message: /did not start \(exit code 1\): .*shared_buffers.*plenty/,
  });
  const server = await bed.open({
    settings: { work_mem: '9MB', listen_addresses: '*', shared_buffers: '16MB' },
  });
  assert.equal(server.attached, false);
  assert.equal(await query(server, "SELECT current_setting('work_mem') AS value"), '9MB');
  assert.equal(await query(server, "SELECT current_setting('listen_addresses') AS value"), '');
});

test('a data directory with blanks, quotes and commas works', async (t) => {
  const bed = makeTestBed(t, template);
  const server = await bed.open({ data_dir: path.join(bed.dir, `a "b", c'd`) });
  assert.equal(await query(server, 'SELECT 1 AS value'), 1);
});

test('a path too long for a socket gets one elsewhere, and attachers find it', async (t) => {
  const bed = makeTestBed(t, template);
  const options = { data_dir: path.join(bed.dir, 'l'.repeat(60), 'o'.repeat(60)) };
  const server = await bed.open(options);
  assert.ok(server.connection.host.length < 80);
  assert.equal(statSync(server.connection.host).mode & 0o777, 0o700);
  assert.equal(await query(server, 'SELECT 1 AS value'), 1);
  const guest = await bed.openElsewhere(options, { prefix: ['env', `TMPDIR=${bed.dir}`] });
  assert.equal(guest.opened?.attached, true);
  assert.equal(guest.opened.connection.host, server.connection.host);
  await server.stop();
  assert.equal((await bed.open(options)).connection.host, server.connection.host);
});
