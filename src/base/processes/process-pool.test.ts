import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { waitFor } from '../../../test/support/wait-for.ts';
import { createProcessPool, type PoolOptions, type ProcessPool } from './process-pool.ts';

const module = new URL('worker-process.fixture.ts', import.meta.url);
const limits = { max_ms: 400, quick_ms: 400, idle_ms: 60_000, max_waiting: 10, max_megabytes: 64 };
const isSmall = (task: { is_large?: true }): boolean => !task.is_large;
const long = { kind: 'spin', ms: 60_000 };
const unavailable = { code: 'service_unavailable' };

function poolFor(t: TestContext, changes: Partial<PoolOptions> = {}): ProcessPool {
  const pool = createProcessPool({ module, isSmall, ...limits, ...changes });
  t.after(() => pool.stop());
  return pool;
}

const echo = (value: unknown) => ({ kind: 'echo', value });
const pidOf = async (pool: ProcessPool, owner = 1): Promise<number> =>
  (await pool.run(owner, { kind: 'pid' })) as number;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a job is answered by a process that is kept for the next', async (t) => {
  const pool = poolFor(t);
  const value = { list: [1, 'ñ', null], bytes: Buffer.from('x') };
  assert.deepEqual(await pool.run(1, echo(value)), value);
  const pid = await pidOf(pool);
  assert.notEqual(pid, process.pid);
  assert.equal(await pidOf(pool), pid);
});

test('a job that takes too long is killed, and the next is answered', async (t) => {
  const pool = poolFor(t);
  const pid = await pidOf(pool);
  const [slow, next] = await Promise.allSettled([pool.run(1, long), pool.run(1, echo('next'))]);
  assert.equal(slow.status === 'rejected' && slow.reason.message, 'it takes too long');
  assert.equal(next.status === 'fulfilled' && next.value, 'next');
  await waitFor(() => !isAlive(pid), { what: 'the end of the process' });
});

test('time counts that the job used, not that others took from it', async (t) => {
  const pool = poolFor(t);
  await pidOf(pool);
  // They leave it less than half of a processor, so that it takes longer than it may use.
  const others = Array.from({ length: 2 * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);']),
  );
  t.after(() => others.forEach((other) => other.kill('SIGKILL')));
  const began = performance.now();
  assert.equal(await pool.run(1, { kind: 'spin', ms: 300 }), 'done');
  t.diagnostic(`${Math.round(performance.now() - began)} ms for 300 ms of work`);
});

test('a job that fills the memory ends its own process and nothing else', async (t) => {
  const pool = poolFor(t, { max_ms: 20_000 });
  await assert.rejects(pool.run(1, { kind: 'fill' }), { name: 'JobLimit', message: /memory/ });
  assert.equal(await pool.run(1, echo('next')), 'next');
});

test('a process killed from outside does not count against its job, and is replaced', async (t) => {
  const pool = poolFor(t, { max_ms: 20_000 });
  const pid = await pidOf(pool);
  const job = pool.run(1, long);
  process.kill(pid, 'SIGKILL');
  await assert.rejects(job, unavailable);
  const second = await pidOf(pool);
  process.kill(second, 'SIGKILL');
  await waitFor(() => !isAlive(second));
  assert.equal(await pool.run(1, echo('next')), 'next');
});

test('an exception in a process rejects its job, and the process goes on', async (t) => {
  const pool = poolFor(t);
  await assert.rejects(pool.run(1, { kind: 'throw' }), /a mistake of the process/);
  assert.equal(await pool.run(1, echo('next')), 'next');
});

test('an owner that keeps a process busy delays no other', async (t) => {
  const pool = poolFor(t, { max_ms: 1_500, quick_ms: 200 });
  // Both processes are there.
  await Promise.all([pidOf(pool, 1), pidOf(pool, 2)]);
  const busy = [3, 4, 5].flatMap((owner) =>
    [1, 2, 3].map(() => pool.run(owner, long).catch(() => undefined)),
  );
  let worst = 0;
  for (let n = 0; n < 30; n += 1) {
    const began = performance.now();
    assert.equal(await pool.run(1, echo(n)), n);
    worst = Math.max(worst, performance.now() - began);
  }
  t.diagnostic(`the longest of 30 quick jobs took ${Math.round(worst)} ms`);
  // Three fresh owners can hold the second process for 200 ms each, and it is started anew after each of them. Behind the
  // nine long jobs it would be 13.5 s of a processor.
  assert.ok(worst < 12_000, `${worst} ms`);
  pool.stop();
  await Promise.all(busy);
});

test('large jobs leave one process free', async (t) => {
  const pool = poolFor(t);
  const large = [1, 2, 3].map(async (owner) => await pool.run(owner, { kind: 'pid', is_large: true }));
  const small = pidOf(pool, 4);
  const pids = new Set(await Promise.all(large));
  assert.equal(pids.size, 1);
  assert.ok(!pids.has(await small));
});

test('a job that is too long for the quick process is done in the other', async (t) => {
  const pool = poolFor(t, { max_ms: 5_000, quick_ms: 100 });
  const jobs = [1, 2].map(async (owner) => await pool.run(owner, { kind: 'spin', ms: 400 }));
  assert.deepEqual(await Promise.all(jobs), ['done', 'done']);
});

test('an owner has one job under way, and a number of them waiting', async (t) => {
  const pool = poolFor(t, { max_waiting: 2 });
  await pidOf(pool);
  const jobs = Array.from({ length: 4 }, async () => await pidOf(pool));
  const refused = jobs.pop();
  await assert.rejects(refused as Promise<number>, unavailable);
  assert.equal(new Set(await Promise.all(jobs)).size, 1);
  assert.equal(await pool.run(2, echo('another')), 'another');
});

test('an idle process ends, and another takes its place', async (t) => {
  const pool = poolFor(t, { idle_ms: 1 });
  const pid = await pidOf(pool);
  await waitFor(() => !isAlive(pid), { what: 'the end of the process' });
  assert.notEqual(await pidOf(pool), pid);
});

test('a job whose process cannot be started is refused, and the next one too', async (t) => {
  // What the system refuses at once, such as for want of memory, is thrown and not an event.
  const pool = poolFor(t, { module: new URL('http://localhost/none.ts') });
  await assert.rejects(pool.run(1, echo('one')), unavailable);
  await assert.rejects(pool.run(1, echo('two')), unavailable);
});

test('a job whose process ends before it is ready is refused, and the next one too', async (t) => {
  const pool = poolFor(t, { module: new URL('none.ts', import.meta.url) });
  await assert.rejects(pool.run(1, echo('one')), unavailable);
  await assert.rejects(pool.run(1, echo('two')), unavailable);
  const stopped = poolFor(t);
  const job = stopped.run(1, echo('begins'));
  stopped.stop();
  await assert.rejects(job, unavailable);
});

test('a job whose process is never ready is refused after the time of a start, and the next one too', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'chq-pool-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const hangs = path.join(folder, 'hangs.mjs');
  writeFileSync(
    hangs,
    `process.once('disconnect', () => process.exit()); setInterval(() => undefined, 1_000);`,
  );
  const pool = poolFor(t, { module: pathToFileURL(hangs), max_start_ms: 300 });
  await assert.rejects(pool.run(1, echo('one')), unavailable);
  await assert.rejects(pool.run(1, echo('two')), unavailable);
});

test('a stopped pool kills what it does and takes no more', async () => {
  const pool = createProcessPool({ module, isSmall, ...limits, max_ms: 60_000 });
  const pid = await pidOf(pool);
  const jobs = [pool.run(1, long), pool.run(1, echo('waits'))];
  pool.stop();
  await Promise.all(jobs.map(async (job) => await assert.rejects(job, unavailable)));
  await waitFor(() => !isAlive(pid), { what: 'the end of the process' });
});

const script = (after: string): string =>
  `import { createProcessPool } from '${new URL('process-pool.ts', import.meta.url).href}';
   const pool = createProcessPool({ module: new URL('${module.href}'), isSmall: () => true, ...${JSON.stringify(limits)} });
   await pool.run(1, { kind: 'linger' });
   process.stdout.write(String(await pool.run(1, { kind: 'pid' })));${after}`;

test('an idle process does not keep its parent alive, and ends when the parent ends', async () => {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script('')], { timeout: 30_000 });
  const pid = Number(await text(parent.stdout));
  assert.equal(parent.signalCode, null);
  await waitFor(() => !isAlive(pid), { what: 'the end of the process' });
});

test('a process ends also when its parent is killed', async () => {
  const wait = 'setInterval(() => undefined, 1_000);';
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script(wait)]);
  const [first] = (await once(parent.stdout, 'data')) as [Buffer];
  parent.kill('SIGKILL');
  await waitFor(() => !isAlive(Number(first.toString())), { what: 'the end of the process' });
});
