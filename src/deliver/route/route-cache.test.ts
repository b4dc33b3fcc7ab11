import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdProcessTime } from '../../../test/support/hold-process-time.ts';
import { seededRandom } from '../../protocol/mime/seeded-random.fixture.ts';
import { createRouteCache } from './route-cache.ts';
import type { Route } from './router.ts';

function setUp(answers: Record<string, Route>) {
  const asked: string[] = [];
  const router = {
    async route(domain: string): Promise<Route> {
      asked.push(domain);
      return answers[domain] ?? { kind: 'rejects_mail' };
    },
  };
  const cached = createRouteCache(router, { random: seededRandom(1), max_entries: 2 });
  return { asked, cached };
}

const host = (name: string, preference: number, addresses = ['192.0.2.1']) => ({
  name,
  preference,
  addresses,
  tlsa: [],
});

test('a way that was found serves for two seconds', async (t) => {
  const time = holdProcessTime(t);
  const route: Route = { kind: 'hosts', hosts: [host('mx.test', 10)] };
  const { asked, cached } = setUp({ 'example.test': route });
  for (const wait of [0, 1_000, 999]) {
    time.advance(wait);
    assert.deepEqual(await cached.route('example.test'), route);
  }
  assert.equal(asked.length, 1);
  time.advance(1);
  await cached.route('example.test');
  assert.equal(asked.length, 2);
});

test('without a route every mail asks again', async () => {
  const { asked, cached } = setUp({ 'broken.test': { kind: 'error', reason: 'servfail' } });
  for (const domain of ['broken.test', 'broken.test', 'null.test', 'null.test']) await cached.route(domain);
  assert.equal(asked.length, 4);
});

test('each mail gets an order of its own: the best preference first, IPv6 before IPv4', async () => {
  const addresses = ['2001:db8::1', '2001:db8::2', '192.0.2.1', '192.0.2.2'];
  const hosts = [host('a.test', 10, addresses), host('b.test', 10), host('last.test', 20)];
  const { asked, cached } = setUp({ 'example.test': { kind: 'hosts', hosts } });
  const seen = new Map<string, Set<string>>();
  for (let round = 0; round < 200; round += 1) {
    const route = await cached.route('example.test');
    assert.ok(route.kind === 'hosts');
    const [first, , third] = route.hosts;
    assert.equal(third?.name, 'last.test');
    const given = route.hosts.find(({ name }) => name === 'a.test')?.addresses ?? [];
    assert.deepEqual(given.toSorted(), addresses.toSorted());
    assert.deepEqual(
      given.map((address) => address.includes(':')),
      [true, true, false, false],
    );
    for (const [what, value] of Object.entries({ host: first?.name, order: given.join(' ') })) {
      seen.set(what, (seen.get(what) ?? new Set()).add(value ?? ''));
    }
  }
  assert.deepEqual([seen.get('host')?.size, seen.get('order')?.size], [2, 4]);
  assert.equal(asked.length, 1);
  assert.deepEqual(hosts[0]?.addresses, addresses);
});

test('memory is bounded whatever the number of domains', async () => {
  const route: Route = { kind: 'hosts', hosts: [host('mx.test', 10)] };
  const { asked, cached } = setUp({ 'a.test': route, 'b.test': route, 'c.test': route });
  for (const domain of ['a.test', 'b.test', 'c.test', 'c.test', 'a.test']) await cached.route(domain);
  assert.deepEqual(asked, ['a.test', 'b.test', 'c.test', 'a.test']);
});
