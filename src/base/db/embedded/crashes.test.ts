import assert from 'node:assert/strict';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import {
  listProcesses,
  makeTemplate,
  makeTestBed,
  query,
  removeTemplate,
  until,
} from './embedded-test-bed.fixture.ts';
import { findStartTime } from '../../processes/process-identity.ts';

let template = '';
before(async () => {
  template = await makeTemplate();
});
after(() => removeTemplate(template));

function serverPid(dataDir: string): number {
  return Number(readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

test('after kill -9 of its owner the server ends, and the next start has the data', async (t) => {
  const bed = makeTestBed(t, template);
  const owner = await bed.openElsewhere();
  await query(owner.opened, 'CREATE TABLE kept AS SELECT 42 AS value');
  const pid = serverPid(path.join(bed.dir, 'data'));
  await owner.kill();
  const began = performance.now();
  const next = await bed.open({});
  t.diagnostic(`start over a dying server ${Math.round(performance.now() - began)} ms`);
  assert.equal(next.attached, false);
  assert.equal(findStartTime(pid), undefined);
  assert.equal(await query(next, 'SELECT value FROM kept'), 42);
});

test('a server left without owner and without watchdog is replaced', async (t) => {
  const bed = makeTestBed(t, template);
  const owner = await bed.openElsewhere();
  await query(owner.opened, 'CREATE TABLE kept AS SELECT 42 AS value');
  const pid = serverPid(path.join(bed.dir, 'data'));
  const processes = listProcesses();
  const shell = processes.find((one) => one.pid === pid)?.parent ?? 0;
  const reader = processes.find((one) => one.parent === shell && one.pid !== pid)?.pid ?? 0;
  assert.ok(shell > 1 && reader > 1);
  process.kill(reader, 'SIGKILL');
  owner.child.kill('SIGKILL');
  process.kill(shell, 'SIGKILL');
  await owner.kill();
  assert.notEqual(findStartTime(pid), undefined);
  const began = performance.now();
  const next = await bed.open({});
  t.diagnostic(`start over an orphan ${Math.round(performance.now() - began)} ms`);
  assert.equal(next.attached, false);
  assert.equal(findStartTime(pid), undefined);
  assert.equal(await query(next, 'SELECT value FROM kept'), 42);
});

test('the owner is notified when its server is killed, and can open it again', async (t) => {
  const bed = makeTestBed(t, template);
  const reasons: string[] = [];
  const server = await bed.open({ durable: true, on_exit: (reason) => reasons.push(reason) });
  await query(server, 'CREATE TABLE kept AS SELECT 42 AS value');
  process.kill(serverPid(path.join(bed.dir, 'data')), 'SIGKILL');
  await until('on_exit was called', () => reasons.length > 0);
  assert.match(reasons[0] ?? '', /ended by itself \(ended by signal 9\)/);
  assert.equal(existsSync(path.join(bed.dir, 'data', 'owner.json')), false);
  await server.stop();
  const next = await bed.open({});
  assert.equal(await query(next, 'SELECT value FROM kept'), 42);
  await next.stop();
  assert.equal(reasons.length, 1);
});

test('a pid file whose pid has gone to another PostgreSQL neither stops us nor harms the other', async (t) => {
  const bed = makeTestBed(t, template);
  const other = await bed.open({ data_dir: path.join(bed.dir, 'other') });
  const pid = serverPid(path.join(bed.dir, 'other'));
  const cluster = path.join(bed.dir, 'data', 'postgres');
  const first = await bed.open({});
  const stale = readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').replace(/^\d+/, String(pid));
  await first.stop();
  for (const file of [path.join(cluster, 'postmaster.pid'), `${first.connection.host}/.s.PGSQL.5432.lock`]) {
    writeFileSync(file, stale, { mode: 0o600 });
    const { uid, gid } = statSync(cluster);
    chownSync(file, uid, gid);
  }
  const second = await bed.open({});
  assert.equal(second.attached, false);
  assert.equal(await query(second, 'SELECT 1 AS value'), 1);
  assert.equal(serverPid(path.join(bed.dir, 'other')), pid);
  assert.equal(await query(other, 'SELECT 1 AS value'), 1);
});

test('an initdb cut short by kill -9 leaves no half cluster', async (t) => {
  const bed = makeTestBed(t);
  const root = path.join(bed.dir, 'data');
  const child = bed.spawnElsewhere();
  const begun = (): string | undefined =>
    existsSync(root) ? readdirSync(root).find((name) => name.startsWith('postgres.unfinished-')) : undefined;
  await until('initdb is at work', () =>
    existsSync(path.join(root, begun() ?? 'none', 'postgres', 'PG_VERSION')),
  );
  child.kill('SIGKILL');
  const server = await bed.open({});
  assert.equal(server.attached, false);
  assert.equal(await query(server, 'SELECT 1 AS value'), 1);
  assert.equal(begun(), undefined);
});

test('data of another PostgreSQL version is refused in one line and left as it was', async (t) => {
  const bed = makeTestBed(t);
  const root = path.join(bed.dir, 'data');
  mkdirSync(path.join(root, 'postgres'), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(root, 'postgres', 'PG_VERSION'), '17\n');
  const snapshot = (): [string, number][] =>
    ['.', ...readdirSync(root, { recursive: true, encoding: 'utf8' })].map((name) => [
      name,
      statSync(path.join(root, name)).ctimeMs,
    ]);
  const untouched = snapshot();
  await assert.rejects(bed.open({}), (error: Error) => {
    assert.match(error.message, /PostgreSQL 17 .*PostgreSQL 18; nothing was changed.*DATABASE_URL/);
    assert.equal(error.message.includes('\n'), false);
    return true;
  });
  assert.deepEqual(snapshot(), untouched);
});

test('a directory that holds something else is refused', async (t) => {
  const bed = makeTestBed(t);
  mkdirSync(path.join(bed.dir, 'data', 'postgres'), { recursive: true });
  writeFileSync(path.join(bed.dir, 'data', 'postgres', 'letters.txt'), 'dear');
  await assert.rejects(
    bed.open({}),
    /neither empty nor the data of a PostgreSQL server: nothing was changed/,
  );
});
