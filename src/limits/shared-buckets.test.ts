import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { Database } from '../base/db/database.ts';
import { createSharedBuckets } from './shared-buckets.ts';

let database: TestDatabase;
let nodes: Database[];
before(async () => {
  database = await createTestDatabase();
  nodes = Array.from(
    { length: 3 },
    () =>
      new Database({
        connection: database.connection,
        pool_size: 4,
        pipelines: 1,
        on_error: () => undefined,
      }),
  );
});
after(async () => {
  await Promise.all(nodes.map(async (node) => await node.end()));
  await database.drop();
});

const db = (index: number): Database => nodes[index % nodes.length] as Database;

/** Repeatable: a failing run is the next run too. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

async function now(): Promise<number> {
  const [row] = await db(0).query<{ at: number }>(
    'select extract(epoch from clock_timestamp())::float8 as at',
  );
  return row?.at ?? 0;
}

/** What came back since, and what rounding may add to it. */
async function most(began: number, { rate, burst }: { rate: number; burst: number }): Promise<number> {
  return burst + ((await now()) - began) * rate + 1e-6 * burst;
}

test('leases at the same moment over several connections never grant more than was in the bucket', async () => {
  for (let seed = 1; seed <= 8; seed += 1) {
    const next = random(seed);
    const limits = { rate: next() * 500, burst: 1 + next() * 1_000 };
    const began = await now();
    const grants = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const needed = next() * limits.burst * 0.2;
        const wanted = needed + next() * limits.burst * 0.2;
        const [row] = await db(index).query<{ granted: number; available: number }>(
          'select granted, available from lease_tokens($1, $2, $3, $4, $5)',
          [`leases ${seed}`, limits.rate, limits.burst, needed, wanted],
        );
        const { granted, available } = row ?? { granted: -1, available: -1 };
        assert.ok(
          granted === 0 || (granted >= needed && granted <= wanted),
          `${granted} of ${needed}–${wanted}`,
        );
        assert.ok(available >= 0 && available <= limits.burst, `${available} left of ${limits.burst}`);
        return granted;
      }),
    );
    const total = grants.reduce((sum, granted) => sum + granted, 0);
    const bound = await most(began, limits);
    assert.ok(total <= bound, `seed ${seed}: ${total} granted of ${bound}`);
    assert.ok(
      total >= Math.min(limits.burst * 0.7, bound * 0.5),
      `seed ${seed}: ${total} of ${bound} is too little`,
    );
  }
});

test('a bucket that is new or has rested is full, and never fuller', async () => {
  const lease = async (needed: number, wanted: number) => {
    const sql = 'select granted, available from lease_tokens($1, 10, 100, $2, $3)';
    const [row] = await db(0).query<{ granted: number; available: number }>(sql, ['rested', needed, wanted]);
    return row;
  };
  assert.deepEqual(await lease(101, 101), { granted: 0, available: 100 });
  assert.deepEqual(await lease(50, 100), { granted: 100, available: 0 });
  await db(0).query(
    `update rate_buckets set refilled_at = refilled_at - interval '1 year' where key = 'rested'`,
  );
  assert.deepEqual(await lease(1, 30), { granted: 30, available: 70 });
  // The clock of the server was set back: nothing is taken away for it.
  await db(0).query(
    `update rate_buckets set refilled_at = refilled_at + interval '1 hour' where key = 'rested'`,
  );
  assert.deepEqual(await lease(70, 70), { granted: 70, available: 0 });
});

test('nodes never spend more of their leases than the bucket had', async () => {
  for (let seed = 1; seed <= 6; seed += 1) {
    const next = random(100 + seed);
    const limits = { rate: 1 + next() * 200, burst: 50 + next() * 500 };
    const buckets = nodes.map((node) => createSharedBuckets(node));
    const began = await now();
    const spent = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const amount = 1 + next() * limits.burst * 0.05;
        const taken = await buckets[index % buckets.length]?.take(`spent ${seed}`, amount, limits);
        if (taken?.ok) return amount;
        assert.ok(taken && Number.isInteger(taken.retry_after_seconds) && taken.retry_after_seconds >= 1);
        return 0;
      }),
    );
    const total = spent.reduce((sum, amount) => sum + amount, 0);
    const bound = await most(began, limits);
    assert.ok(total <= bound, `seed ${seed}: ${total} spent of ${bound}`);
    assert.ok(total >= limits.burst * 0.7, `seed ${seed}: ${total} of ${limits.burst} is too little`);
  }
});

test('a lowered limit holds at once: for what is leased on every node, and for what is stored', async () => {
  const high = { rate: 1, burst: 1_000 };
  const low = { rate: 1, burst: 50 };
  const buckets = nodes.map((node) => createSharedBuckets(node));
  const began = await now();
  // Each node has 99 more at hand.
  for (const node of buckets) assert.deepEqual(await node.take('lowered', 1, high), { ok: true });
  const taken = await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      const node = buckets[index % buckets.length];
      return (await node?.take('lowered', 1, low))?.ok === true;
    }),
  );
  const through = taken.filter(Boolean).length;
  const bound = await most(began, low);
  assert.ok(through <= bound, `${through} of ${bound}`);
  assert.ok(through >= 40, `${through} of 50 is too little`);
});

test('a lease taken while the limit was lowered is void too', async () => {
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const buckets = createSharedBuckets({
    async query(...call) {
      asked.resolve();
      await answered.promise;
      return await db(0).query(...call);
    },
  });
  const low = { rate: 1, burst: 5 };
  const began = await now();
  const first = buckets.take('lowered meanwhile', 1, { rate: 1, burst: 1_000 });
  await asked.promise;
  const later = Array.from({ length: 50 }, async () => await buckets.take('lowered meanwhile', 1, low));
  answered.resolve();
  assert.deepEqual(await first, { ok: true });
  const through = (await Promise.all(later)).filter(({ ok }) => ok).length;
  const bound = await most(began, low);
  assert.ok(through <= bound, `${through} of ${bound}`);
});

test('a node remembers 20,000 buckets, and forgets the one that was not used for longest', async () => {
  const buckets = createSharedBuckets(db(0));
  const limits = { rate: 1, burst: 100 };
  const queriesOf = async (key: string): Promise<number> => {
    const beforeCount = db(0).round_trips;
    assert.deepEqual(await buckets.take(key, 1, limits), { ok: true });
    return db(0).round_trips - beforeCount;
  };
  for (const key of ['used', 'unused']) assert.equal(await queriesOf(key), 1);
  // To take nothing needs no lease.
  for (let n = 1; n < 20_000; n += 1) {
    await buckets.take(`other ${n}`, 0, limits);
    if (n === 10_000) assert.equal(await queriesOf('used'), 0);
  }
  assert.equal(await queriesOf('used'), 0);
  assert.equal(await queriesOf('unused'), 1);
});

test('a taker is told when it could be served, and many takers cost few queries', async () => {
  const buckets = createSharedBuckets(db(0));
  const limits = { rate: 10, burst: 100 };
  assert.deepEqual(await buckets.take('told', 100, limits), { ok: true });
  const refused = await buckets.take('told', 50, limits);
  assert.deepEqual(refused, { ok: false, retry_after_seconds: 5 });
  await db(0).query(`update rate_buckets set refilled_at = refilled_at - interval '5 s' where key = 'told'`);
  assert.deepEqual(await buckets.take('told', 50, limits), { ok: true });
  const beforeCount = db(0).round_trips;
  const large = { rate: 1, burst: 1_000 };
  const taken = await Promise.all(
    Array.from({ length: 500 }, async () => await buckets.take('many', 1, large)),
  );
  assert.ok(taken.every(({ ok }) => ok));
  assert.ok(db(0).round_trips - beforeCount <= 10, `${db(0).round_trips - beforeCount} queries`);
});

test('a bucket refills after the clock of the database was set back', async () => {
  const buckets = createSharedBuckets(db(0));
  const limits = { rate: 100, burst: 10 };
  assert.deepEqual(await buckets.take('ahead', 10, limits), { ok: true });
  // The time of an hour ahead, which the clock had until now.
  await db(0).query(
    `update rate_buckets set tokens = 0, refilled_at = now() + interval '1 hour' where key = 'ahead'`,
  );
  assert.equal((await buckets.take('ahead', 10, limits)).ok, false);
  await waitFor(async () => (await buckets.take('ahead', 10, limits)).ok);
});

test('a taker behind one that failed is served', async () => {
  let asked = 0;
  const buckets = createSharedBuckets({
    async query(...call) {
      asked += 1;
      if (asked === 1) throw new Error('lost');
      return await db(0).query(...call);
    },
  });
  const limits = { rate: 1, burst: 10 };
  const first = buckets.take('behind', 1, limits);
  const second = buckets.take('behind', 1, limits);
  await assert.rejects(first, /lost/);
  assert.deepEqual(await second, { ok: true });
});
