import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { QueryResultRow } from 'pg';
import { DatabaseClock } from './database-clock.ts';

const day = 86_400_000;

/** Clocks that a test sets, and a database that answers with its own, after a round trip. */
function bed() {
  const world = { wall: 1_800_000_000_000, monotonic: 5_000, uptime: 900_000, database: 1_800_000_000_000 };
  const pass = (ms: number): void => {
    for (const clock of ['wall', 'monotonic', 'uptime', 'database'] as const) world[clock] += ms;
  };
  const db = {
    round_trip: 0,
    /** Of the next query only, all of it on the way there. */
    delay: 0,
    async query<Row extends QueryResultRow>(): Promise<Row[]> {
      pass(db.round_trip / 2 + db.delay);
      db.delay = 0;
      const row = { now: new Date(world.database) };
      pass(db.round_trip / 2);
      return [row as unknown as Row];
    },
  };
  const time = { wall: () => world.wall, monotonic: () => world.monotonic, uptime: () => world.uptime };
  return { world, db, pass, open: async () => await DatabaseClock.open(db, time) };
}

test('the clock gives the time of the database, whatever the clock of the node says', async () => {
  const { world, pass, open } = bed();
  world.wall += 150 * day;
  const clock = await open();
  assert.equal(clock.now().getTime(), world.database);
  pass(12_345);
  assert.equal(clock.now().getTime(), world.database);
  world.wall -= 400 * day;
  assert.equal(clock.now().getTime(), world.database);
});

test('the clock follows the database when that moves, and does not jitter within a round trip', async () => {
  const { world, db, pass, open } = bed();
  const clock = await open();
  world.database += 60_000;
  await clock.sync();
  assert.equal(clock.now().getTime(), world.database);
  db.round_trip = 40;
  world.database += 15;
  const before = clock.now().getTime();
  await clock.sync();
  assert.equal(clock.now().getTime(), before + 40, 'time passed, and nothing else');
  pass(1_000);
});

test('a slow answer of a busy database moves nothing, neither at the start nor later', async () => {
  const { world, db, pass, open } = bed();
  db.round_trip = 2;
  db.delay = 300;
  const clock = await open();
  assert.equal(clock.now().getTime(), world.database);
  pass(5_000);
  db.delay = 500;
  await clock.sync();
  assert.equal(clock.now().getTime(), world.database);
});

test('a clock that is right is trusted, also after the machine slept', async () => {
  const { world, pass, open } = bed();
  world.wall += 4_900;
  const clock = await open();
  assert.equal(clock.clockError(), undefined);
  pass(30 * day);
  assert.equal(clock.clockError(), undefined);
  // Asleep, the monotonic clock stands still; all others go on.
  for (const each of ['wall', 'uptime', 'database'] as const) world[each] += 3_600_000;
  await clock.sync();
  assert.equal(clock.clockError(), undefined);
});

test('a node that is off by more than five seconds is found out', async () => {
  for (const [off, words] of [
    [5_100, /5 s ahead of the database's/],
    [-31 * 60_000, /1860 s behind the database's/],
    [150 * day, /12960000 s ahead/],
  ] as const) {
    const { world, open } = bed();
    world.wall += off;
    assert.match((await open()).clockError() ?? '', words);
  }
});

test('time that was set while the process ran is found out, also where node and database moved together', async () => {
  const { world, pass, open } = bed();
  const clock = await open();
  pass(60_000);
  world.wall += 150 * day;
  world.database += 150 * day;
  await clock.sync();
  assert.match(clock.clockError() ?? '', /this node was set forward by 12960000 s/);
  world.wall -= 150 * day;
  world.database -= 150 * day;
  await clock.sync();
  assert.equal(clock.clockError(), undefined, 'and that it was set right again');
});

test('a database that was set is found out, also where it is still near the node', async () => {
  const { world, pass, open } = bed();
  world.wall -= 4_000;
  const clock = await open();
  pass(60_000);
  world.database -= 6_000;
  await clock.sync();
  assert.match(clock.clockError() ?? '', /the database was set back by 6 s/);
});
