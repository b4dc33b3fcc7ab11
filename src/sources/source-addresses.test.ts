import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Queryable } from '../base/db/database.ts';
import type { Problem } from '../base/errors/problem.ts';
import { addSourceAddress, assignPool, listAssignments, removeSourceAddress } from './source-addresses.ts';

const actor = { kind: 'operator' } as const;
let service: TestService;
before(async () => (service = await startTestService({ roles: 'api' })));
after(async () => await service.stop());

type Change = (tx: Queryable) => Promise<unknown>;

async function add(pool: string, ...addresses: string[]): Promise<void> {
  for (const address of addresses) {
    const given = { address, ehlo_name: 'out.example.com', pool, warms_up: false };
    await service.db.transaction(async (tx) => await addSourceAddress(tx, given, actor));
  }
}

/** The second change begins while the first is not committed; its outcome. */
async function overlap(first: Change, second: Change): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  await service.db.transaction(async (tx) => {
    await first(tx);
    let isOver = false;
    service.db
      .transaction(second)
      .then(
        () => resolve('done'),
        ({ code }: Problem) => resolve(code),
      )
      .finally(() => (isOver = true));
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const waits = async (): Promise<boolean> => isOver || (await service.db.query(waiting)).length > 0;
    await waitFor(waits, { what: 'the second change' });
  });
  return await promise;
}

test('no two changes at once leave an instance with a pool of no addresses', async () => {
  const { instance } = await service.tenant();
  const assign: Change = async (tx) => await assignPool(tx, instance.id, { pool: 'own', actor });
  const remove =
    (address: string): Change =>
    async (tx) =>
      await removeSourceAddress(tx, address, actor);
  await add('own', '192.0.2.1');
  assert.equal(await overlap(remove('192.0.2.1'), assign), 'source_pool_not_found');
  assert.deepEqual(await listAssignments(service.db), []);
  await add('own', '192.0.2.1');
  assert.equal(await overlap(assign, remove('192.0.2.1')), 'source_pool_in_use');
  await add('own', '192.0.2.2');
  assert.equal(await overlap(remove('192.0.2.1'), remove('192.0.2.2')), 'source_pool_in_use');
});

test('an instance that goes back to the default pool leaves the others where they are', async () => {
  const [back, stays] = [await service.tenant(), await service.tenant()];
  await add('shared', '192.0.2.7');
  const assign = async (id: number, pool: string): Promise<void> =>
    await service.db.transaction(async (tx) => await assignPool(tx, id, { pool, actor }));
  for (const { instance } of [back, stays]) await assign(instance.id, 'shared');
  await assign(back.instance.id, 'default');
  const shared = (await listAssignments(service.db)).filter(({ pool }) => pool === 'shared');
  assert.deepEqual(
    shared.map(({ instance_id }) => instance_id),
    [stays.instance.id],
  );
});
