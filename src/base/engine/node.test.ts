import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, beforeEach, test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { Database } from '../db/database.ts';
import { createLog } from '../log.ts';
import { Node, type LostLeases } from './node.ts';
import { mayBeRunning, thisNodeProcess } from '../processes/process-identity.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  const { connection } = database;
  db = new Database({ connection, pool_size: 3, pipelines: 1, on_error: () => undefined });
});
after(async () => {
  await db.end();
  await database.drop();
});
beforeEach(async () => void (await db.query('delete from nodes')));

const log = createLog('silent', { write: () => undefined });
/** A heartbeat is current for a third of it, which two statements must not take on a busy machine. */
const dead_after_ms = 900;

const minute = 60_000;

/** The function makes both clocks of this process run ahead by so many milliseconds more. */
function skippableTime(t: TestContext): (ms: number) => void {
  let skipped = 0;
  for (const clock of [performance, Date]) {
    const now = clock.now.bind(clock);
    t.mock.method(clock, 'now', () => now() + skipped);
  }
  return (ms) => void (skipped += ms);
}

function bed(more: Partial<ConstructorParameters<typeof Node>[0]> = {}) {
  const released: Pick<LostLeases, 'nodes' | 'leases'>[] = [];
  const node = new Node({
    db,
    log,
    roles: ['delivery'],
    version: '1.2.3',
    dead_after_ms,
    releases: [async (_tx, { nodes, leases }) => released.push({ nodes, leases })],
    ...more,
  });
  return { node, released };
}

/** Another node, of another machine unless said, that was last heard some time ago. */
async function other(id: string, { silent_ms = 0, machine = 'elsewhere', pid = 1, start = '1' } = {}) {
  await db.query(
    `insert into nodes (id, place, pid, process_start, roles, version, seen_at)
     values ($1, $2, $3, $4, '{}', '1', now() - $5 * interval '1 ms')`,
    [id, machine, pid, start, silent_ms],
  );
}
const known = async (): Promise<string[]> =>
  (await db.query<{ id: string }>('select id from nodes order by id')).map(({ id }) => id);

test('a node has a heartbeat before start() resolves, and no row after stop()', async () => {
  const { node } = bed();
  await node.start();
  assert.deepEqual(await db.query('select id, roles, version, pid from nodes'), [
    { id: node.id, roles: ['delivery'], version: '1.2.3', pid: process.pid },
  ]);
  assert.ok(node.isHeartbeatCurrent());
  await node.stop();
  assert.deepEqual(await known(), []);
});

test('a node whose first heartbeat fails does not start', async () => {
  const connection = { ...database.connection, host: '/nonexistent' };
  const away = new Database({ connection, pool_size: 1, pipelines: 0, on_error: () => undefined });
  const { node } = bed({ db: away });
  await assert.rejects(node.start(), { code: 'ENOENT' });
  await away.end();
});

test('a node without a current heartbeat sends one before it claims', async (t) => {
  const skip = skippableTime(t);
  const { node } = bed({ dead_after_ms: minute });
  assert.deepEqual(await node.claim(known), [node.id]);
  await db.query('delete from nodes');
  assert.deepEqual(await node.claim(known), [], 'the last one is current');
  skip(minute / 3 + 10);
  assert.deepEqual(await node.claim(known), [node.id]);
});

test('a node declares others dead only after it has sent heartbeats without a gap for as long', async (t) => {
  const skip = skippableTime(t);
  await other('aaaaaaaa', { silent_ms: 60 * minute });
  const { node, released } = bed({ dead_after_ms: minute });
  t.after(async () => await node.stop());
  await node.beat();
  for (let quarter = 1; quarter <= 4; quarter += 1) {
    assert.deepEqual(released, [], 'a node that just came back knows nothing of the others');
    skip(minute / 4);
    await node.beat();
  }
  assert.deepEqual(released, [{ nodes: ['aaaaaaaa'], leases: [] }]);
  assert.deepEqual(await known(), [node.id]);
});

test('nodes that send heartbeats do not declare each other dead', async (t) => {
  // A busy machine may hold a process back for a second.
  const beds = [bed({ dead_after_ms: 4_000 }), bed({ dead_after_ms: 4_000 })];
  t.after(async () => await Promise.all(beds.map(async ({ node }) => await node.stop())));
  await Promise.all(beds.map(async ({ node }) => await node.start()));
  await other('aaaaaaaa', { silent_ms: 60_000 });
  const verdicts = (): string[] => beds.flatMap(({ released }) => released.flatMap(({ nodes }) => nodes));
  await waitFor(() => verdicts().length > 0, { what: 'the verdict', timeout_ms: 30_000 });
  assert.deepEqual(verdicts(), ['aaaaaaaa']);
  assert.deepEqual(await known(), beds.map(({ node }) => node.id).toSorted());
});

test('a gap in its own heartbeats restarts that time', async (t) => {
  const skip = skippableTime(t);
  const { node, released } = bed({ dead_after_ms: minute });
  await node.beat();
  skip(minute + 20);
  // As after an outage: everybody was silent, and the first to come back is not the only one that lives.
  await other('bbbbbbbb', { silent_ms: 2 * minute });
  await node.beat();
  await node.beat();
  assert.deepEqual(released, []);
  assert.equal((await known()).length, 2);
});

test('leases taken before a gap are uncertain, leases taken after it are certain', async (t) => {
  const skip = skippableTime(t);
  const { node } = bed({ dead_after_ms: minute });
  await node.beat();
  const early = performance.now();
  assert.ok(node.holdsLeasesSince(early));
  skip(minute / 3 + 10);
  assert.equal(node.isHeartbeatCurrent(), false);
  assert.equal(node.holdsLeasesSince(early), false, 'others may be about to declare it dead');
  await node.beat();
  assert.ok(node.isHeartbeatCurrent());
  assert.equal(node.holdsLeasesSince(early), false, 'others may have declared it dead meanwhile');
  assert.ok(node.holdsLeasesSince(performance.now()));
});

test('the heartbeat grows old by whichever clock ran further, as after the machine slept', async (t) => {
  const { node } = bed();
  await node.beat();
  const right = Date.now.bind(Date);
  for (const asleepMs of [dead_after_ms, -dead_after_ms]) {
    t.mock.method(Date, 'now', () => right() + asleepMs);
    assert.equal(node.isHeartbeatCurrent(), false);
  }
});

test('a process on the same machine that has exited is found at once, one that runs is not', async (t) => {
  const here = thisNodeProcess();
  if (here.machine === undefined) {
    t.skip('the system does not tell where a process runs');
    return;
  }
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const start = await startOf(pid);
  await other('cccccccc', { machine: here.machine, pid, start });
  await other('dddddddd', { machine: here.machine, pid, start: 'another process that had this PID' });
  await other('eeeeeeee', { machine: 'another machine', pid, start: '1' });
  const { node, released } = bed();
  await node.beat();
  assert.deepEqual(released, [{ nodes: ['dddddddd'], leases: [] }]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await node.beat();
  assert.deepEqual(released[1], { nodes: ['cccccccc'], leases: [] });
  assert.deepEqual(await known(), ['eeeeeeee', node.id].toSorted());
});

async function startOf(pid: number): Promise<string> {
  const here = thisNodeProcess();
  const { readFile } = await import('node:fs/promises');
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  assert.ok(mayBeRunning({ ...here, pid, process_start: start }, here));
  return start;
}

test('leases of claims whose answer was lost are released, repeatedly while the claim may still commit', async (t) => {
  const { node, released } = bed();
  await node.beat();
  const failed = new Error('the connection was lost');
  let lease = '';
  const claiming = node.claim(async (under) => {
    lease = under;
    throw failed;
  });
  await assert.rejects(claiming, failed);
  await node.beat();
  await node.beat();
  assert.deepEqual(released, [
    { nodes: [], leases: [lease] },
    { nodes: [], leases: [lease] },
  ]);
  const right = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => right() + 31_000);
  for (let beat = 1; beat <= 3; beat += 1) await node.beat();
  assert.equal(released.length, 3, 'once more after half a minute, and then no longer');
});

test('leases are released at once, not with the next heartbeat', async (t) => {
  // A heartbeat every 33 s.
  const { node, released } = bed({ dead_after_ms: 600_000 });
  await node.start();
  t.after(async () => await node.stop());
  const failed = new Error('the connection was lost');
  const claiming = node.claim(async () => {
    // Until the heartbeat that follows the first one is over.
    await delay(200);
    throw failed;
  });
  await assert.rejects(claiming, failed);
  await waitFor(() => released.length > 0, { what: 'the release' });
});

test('a node that stops with a claim without an answer leaves its leases to others', async () => {
  const { node } = bed();
  await node.start();
  await assert.rejects(node.claim(async () => await Promise.reject(new Error('the connection was lost'))));
  await node.stop();
  assert.deepEqual(await known(), [node.id], 'by its row they find what the claim may still commit');
  const { node: next, released } = bed();
  await db.query("update nodes set place = 'elsewhere', seen_at = now() - interval '1 minute'");
  await next.start();
  await waitFor(() => released.length > 0);
  await next.stop();
  assert.deepEqual(released, [{ nodes: [node.id], leases: [] }]);
});

test('leases begin with the id of their node, and are all different', () => {
  const [one, another] = [bed().node, bed().node];
  const leases = Array.from({ length: 100 }, () => one.newLease());
  assert.equal(new Set(leases).size, 100);
  const form = new RegExp(`^${one.id}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$`);
  assert.ok(leases.every((lease) => form.test(lease)));
  assert.notEqual(one.id, another.id);
});
