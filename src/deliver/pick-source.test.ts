import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import type { SourceAddress } from '../sources/source-addresses.ts';
import { createLocalAddresses, createSourcePicker } from './pick-source.ts';

const now = '2026-01-10T00:00:00Z';
const source = (address: string, more: Partial<SourceAddress> = {}): SourceAddress => ({
  id: 1,
  address,
  ehlo_name: 'out.example.com',
  pool: 'default',
  warms_up: false,
  first_used_at: null,
  ...more,
});
const picker = (pool: SourceAddress[], given: { quota?: number; here?: string[] } = {}) => {
  let left = given.quota ?? 0;
  const pick = createSourcePicker({
    directory: { poolOf: async () => pool },
    leases: { take: async () => left-- > 0, refund: () => void (left += 1) },
    clock: createMovableClock(now),
    isLocal: (address) => given.here?.includes(address) ?? true,
  });
  return async (address = '198.51.100.1') => {
    const choice = await pick(1, { host: 'mx.google.com', address });
    return choice.kind === 'source' ? (choice.source?.address ?? 'any') : choice;
  };
};

test('an empty pool leaves the choice to the system', async () => {
  assert.equal(await picker([])(), 'any');
});

test('a pool uses only addresses of this node and of the family of the server', async () => {
  const pool = [source('192.0.2.1'), source('192.0.2.2'), source('2001:db8::1')];
  const pick = picker(pool, { here: ['192.0.2.2', '2001:db8::1'] });
  assert.deepEqual([await pick(), await pick('2001:db8::25')], ['192.0.2.2', '2001:db8::1']);
  const nowhere = { kind: 'none', reason: 'no_source_address', retry_after_seconds: 60 };
  assert.deepEqual(await picker(pool, { here: [] })(), nowhere);
});

test('an address that warms up goes first while its day has mails left, then the warm ones', async () => {
  const pool = [source('192.0.2.1'), source('192.0.2.9', { warms_up: true })];
  const pick = picker(pool, { quota: 2 });
  assert.deepEqual([await pick(), await pick(), await pick()], ['192.0.2.9', '192.0.2.9', '192.0.2.1']);
});

test('a mail waits for an hour at most or for the next day when no address is warm', async () => {
  const cold = source('192.0.2.9', { warms_up: true, first_used_at: new Date('2026-01-09T12:00:00Z') });
  assert.deepEqual(await picker([cold])(), { kind: 'none', reason: 'warming_up', retry_after_seconds: 3601 });
  const nearly = { ...cold, first_used_at: new Date('2026-01-09T00:00:30Z') };
  assert.deepEqual(await picker([nearly])(), { kind: 'none', reason: 'warming_up', retry_after_seconds: 31 });
});

test('the addresses of this machine are here, others are not', () => {
  const isLocal = createLocalAddresses(createMovableClock(now));
  assert.deepEqual(['127.0.0.1', '127.0.0.77', '192.0.2.1'].map(isLocal), [true, true, false]);
});
