import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { Database } from '../db/database.ts';
import { createLog } from '../log.ts';
import { Node, type LostLeases } from './node.ts';
import { mayBeRunning, placeOfThisProcess } from './process-place.ts';

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
const dead_after_ms = 300;

function bed() {
  const released: LostLeases[] = [];
  const node = new Node({
    db,
    log,
    roles: ['delivery'],
    version: '1.2.3',
    dead_after_ms,
    releases: [async (_tx, lost) => released.push(lost)],
  });
  return { node, released };
}

/** Another node, of another machine unless said, that was last heard some time ago. */
async function other(id: string, { silent_ms = 0, place = 'elsewhere', pid = 1, start = '1' } = {}) {
  await db.query(
    `insert into nodes (id, place, pid, process_start, roles, version, seen_at)
     values ($1, $2, $3, $4, '{}', '1', now() - $5 * interval '1 ms')`,
    [id, place, pid, start, silent_ms],
  );
}
const known = async (): Promise<string[]> =>
  (await db.query<{ id: string }>('select id from nodes order by id')).map(({ id }) => id);

test('a node is on record before its start is over, and gone after its stop', async () => {
  const { node } = bed();
  await node.start();
  assert.deepEqual(await db.query('select id, roles, version, pid from nodes'), [
    { id: node.id, roles: ['delivery'], version: '1.2.3', pid: process.pid },
  ]);
  assert.ok(node.isHeard());
  await node.stop();
  assert.deepEqual(await known(), []);
});

test('who is silent is declared dead only by a node that has been heard for as long itself', async (t) => {
  await other('aaaaaaaa', { silent_ms: 60_000 });
  const { node, released } = bed();
  t.after(async () => await node.stop());
  const began = performance.now();
  await node.start();
  await delay(dead_after_ms / 2);
  assert.deepEqual(released, [], 'a node that just came back knows nothing of the others');
  await waitFor(() => released.length > 0, { what: 'the verdict' });
  assert.ok(performance.now() - began >= dead_after_ms);
  assert.deepEqual(released, [{ nodes: ['aaaaaaaa'], leases: [] }]);
  assert.deepEqual(await known(), [node.id]);
});

test('a gap in its own heartbeats starts that time anew', async () => {
  const { node, released } = bed();
  await node.beat();
  await delay(dead_after_ms + 20);
  // As after an outage: everybody was silent, and the first to come back is not the only one that lives.
  await other('bbbbbbbb', { silent_ms: dead_after_ms + 50 });
  await node.beat();
  await node.beat();
  assert.deepEqual(released, []);
  assert.equal((await known()).length, 2);
});

test('what was leased before a gap is not certain any more, what is leased after it is', async () => {
  const { node } = bed();
  await node.beat();
  const early = performance.now();
  assert.ok(node.holdsSince(early));
  await delay(dead_after_ms / 3 + 10);
  assert.equal(node.isHeard(), false);
  assert.equal(node.holdsSince(early), false, 'others may be about to declare it dead');
  await node.beat();
  assert.ok(node.isHeard());
  assert.equal(node.holdsSince(early), false, 'others may have declared it dead meanwhile');
  assert.ok(node.holdsSince(performance.now()));
});

test('a process of the same place that is gone is found out at once, one that runs is not', async (t) => {
  const here = placeOfThisProcess();
  if (here.place === undefined) {
    t.skip('the system does not tell where a process runs');
    return;
  }
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const start = await startOf(pid);
  await other('cccccccc', { place: here.place, pid, start });
  await other('dddddddd', { place: here.place, pid, start: 'another process that had this PID' });
  await other('eeeeeeee', { place: 'another machine', pid, start: '1' });
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
  const here = placeOfThisProcess();
  const { readFile } = await import('node:fs/promises');
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  assert.ok(mayBeRunning({ ...here, pid, process_start: start }, here));
  return start;
}

test('leases of claims without an answer are released, and once more while the claim may be under way', async () => {
  const { node, released } = bed();
  const lease = node.newLease();
  node.abandon(lease);
  await node.beat();
  await node.beat();
  assert.deepEqual(released, [
    { nodes: [], leases: [lease] },
    { nodes: [], leases: [lease] },
  ]);
});

test('leases begin with the id of their node, and are all different', () => {
  const [one, another] = [bed().node, bed().node];
  const leases = Array.from({ length: 100 }, () => one.newLease());
  assert.equal(new Set(leases).size, 100);
  const form = new RegExp(`^${one.id}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$`);
  assert.ok(leases.every((lease) => form.test(lease)));
  assert.notEqual(one.id, another.id);
});
