import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Database, type Queryable } from '../base/db/database.ts';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { addSourceAddress, listSourceAddresses, type SourceAddress } from './source-addresses.ts';
import { createWarmUpLeases } from './warm-up-leases.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  db = new Database({
    connection: database.connection,
    pool_size: 2,
    pipelines: 1,
    on_error: () => undefined,
  });
});
after(async () => {
  await db.end();
  await database.drop();
});

let addresses = 0;
async function newSource(): Promise<SourceAddress> {
  const address = `192.0.2.${(addresses += 1)}`;
  const given = { address, ehlo_name: 'out.example.com', pool: 'default', warms_up: true };
  return await addSourceAddress(db, given, { kind: 'operator' });
}
const taken = async (takes: Promise<boolean>[]): Promise<number> =>
  (await Promise.all(takes)).filter(Boolean).length;

test('nodes together stay within the cap of a day, of each provider, with few queries', async () => {
  const clock = createMovableClock(new Date());
  let queries = 0;
  const counting: Queryable = {
    query: async (sql, values) => {
      queries += 1;
      return await db.query(sql, values);
    },
  };
  const nodes = [createWarmUpLeases(counting, clock), createWarmUpLeases(counting, clock)];
  const source = await newSource();
  const tries = (provider: string) =>
    Array.from(
      { length: 200 },
      async (_, index) => await (nodes[index % 2] as (typeof nodes)[0]).take(source, provider),
    );
  assert.equal(await taken(tries('google.com')), 50);
  assert.equal(await taken(tries('outlook.com')), 50);
  assert.ok(queries <= 2 * 13, `${queries} queries`);
  const asked = queries;
  assert.equal(await taken(tries('google.com')), 0);
  assert.equal(queries, asked, 'a day that is used up is not asked again');

  const begun = (await listSourceAddresses(db)).find(({ id }) => id === source.id);
  assert.ok(begun?.first_used_at, 'its life has begun');
  clock.advance(86_400_000 + 5_000);
  const nextDay = Array.from(
    { length: 300 },
    async () => (await nodes[0]?.take(begun, 'google.com')) as boolean,
  );
  assert.equal(await taken(nextDay), 100);
});

test('mails given back can be taken again', async () => {
  const leases = createWarmUpLeases(db, createMovableClock(new Date()));
  const source = await newSource();
  assert.equal(await taken(Array.from({ length: 60 }, async () => await leases.take(source, 'a.test'))), 50);
  leases.refund(source, 'a.test');
  assert.deepEqual([await leases.take(source, 'a.test'), await leases.take(source, 'a.test')], [true, false]);
});

test('mails refunded while a lease is asked for are not lost', async () => {
  const source = await newSource();
  let queries = 0;
  const leases = createWarmUpLeases(
    {
      query: async (sql, values) => {
        queries += 1;
        const rows = await db.query(sql, values);
        leases.refund(source, 'google.com');
        return rows as never;
      },
    },
    createMovableClock(new Date()),
  );
  // The lease of five, and what came back meanwhile; more would ask again.
  assert.equal(
    await taken(Array.from({ length: 6 }, async () => await leases.take(source, 'google.com'))),
    6,
  );
  assert.equal(queries, 1);
});
