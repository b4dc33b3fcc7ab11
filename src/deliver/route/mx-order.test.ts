import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../protocol/mime/seeded-random.fixture.ts';
import { cutAtOurselves, orderByPreference, shuffle } from './mx-order.ts';
import { mayDeliverTo, pickAddresses } from './pick-addresses.ts';

const exchanger = (name: string, preference: number) => ({ name, preference });

test('a lower preference always comes first, equals come in every order about equally often', () => {
  const random = seededRandom(1);
  const given = [exchanger('c', 20), exchanger('a1', 10), exchanger('a2', 10), exchanger('a3', 10)];
  const seen = new Map<string, number>();
  for (let round = 0; round < 6000; round += 1) {
    const names = orderByPreference(given, random).map(({ name }) => name);
    assert.equal(names[3], 'c');
    const order = names.join(' ');
    seen.set(order, (seen.get(order) ?? 0) + 1);
  }
  assert.equal(seen.size, 6);
  for (const [order, times] of seen) assert.ok(times > 850 && times < 1150, `${order}: ${times}`);
});

test('a host named twice counts with its better preference', () => {
  const given = [exchanger('a', 20), exchanger('b', 15), exchanger('a', 10)];
  assert.deepEqual(orderByPreference(given, Math.random), [exchanger('a', 10), exchanger('b', 15)]);
});

test('cuts the list at ourselves, and at hosts of equal or lower preference', () => {
  const hosts = [exchanger('best', 5), exchanger('equal', 10), exchanger('us', 10), exchanger('worse', 20)];
  const isUs = ({ name }: { name: string }): boolean => name === 'us';
  assert.deepEqual(cutAtOurselves(hosts, isUs), [exchanger('best', 5)]);
  assert.deepEqual(
    cutAtOurselves(hosts, () => false),
    hosts,
  );
  assert.deepEqual(
    cutAtOurselves(hosts, () => true),
    [],
  );
});

test('shuffling loses nothing and does not change its argument', () => {
  const items = [1, 2, 3, 4, 5];
  assert.deepEqual(
    shuffle(items, seededRandom(3)).toSorted((a, b) => a - b),
    [1, 2, 3, 4, 5],
  );
  assert.deepEqual(items, [1, 2, 3, 4, 5]);
});

test('only public addresses may be delivered to, unless a test bed allows more', () => {
  const hidden = [
    ['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '198.18.0.1'],
    ['::1', 'fe80::1', 'fc00::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '2001:db8::1', '192.0.2.1'],
  ].flat();
  for (const address of hidden) {
    assert.equal(mayDeliverTo(address, false), false, address);
    assert.equal(mayDeliverTo(address, true), true, address);
  }
  for (const address of ['0.0.0.0', '::', '224.0.0.1', 'ff02::1', '255.255.255.255', 'nonsense', '']) {
    assert.equal(mayDeliverTo(address, false), false, address);
    assert.equal(mayDeliverTo(address, true), false, address);
  }
  for (const address of ['8.8.8.8', '2a00:1450:4001::1a', '::ffff:8.8.8.8']) {
    assert.equal(mayDeliverTo(address, false), true, address);
  }
});

test('IPv6 comes before IPv4, and neither takes all places', () => {
  const rules = { mx_allow_private: false, random: Math.random };
  const v6 = Array.from({ length: 12 }, (_, index) => `2a00:1450::${index + 1}`);
  const v4 = Array.from({ length: 12 }, (_, index) => `8.8.8.${index + 1}`);
  const families = (addresses: string[]): string =>
    addresses.map((address) => (address.includes(':') ? '6' : '4')).join('');
  assert.equal(families(pickAddresses([...v4, ...v6], rules)), '66664444');
  assert.equal(families(pickAddresses([...v6, ...v4.slice(0, 1)], rules)), '66666664');
  assert.equal(families(pickAddresses([...v6.slice(0, 1), ...v4], rules)), '64444444');
  assert.equal(families(pickAddresses(v6, rules)), '66666666');
  assert.deepEqual(pickAddresses(['8.8.8.8', '8.8.8.8', '10.0.0.1', '::ffff:8.8.8.8'], rules), ['8.8.8.8']);
});
