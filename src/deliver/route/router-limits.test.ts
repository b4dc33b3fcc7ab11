import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Records } from '../../../test/support/dns-server.ts';
import { namesOf, serveRoutes } from './router.fixture.ts';

test('an MX on a private address is refused unless the test bed allows it', async (t) => {
  const records: Records = {
    'example.test': { MX: ['10 inside.test', '20 mx.test'] },
    'mx.test': { A: ['8.8.8.8', '10.0.0.1'] },
    'inside.test': { A: ['127.0.0.1'], AAAA: ['::1'] },
    'hidden.test': { MX: ['10 inside.test'] },
    'implicit.test': { A: ['169.254.169.254'] },
  };
  const strict = await serveRoutes(t, records);
  const refused = { kind: 'no_route', reason: 'mx_not_public', permanent: false };
  assert.deepEqual(namesOf(await strict.route('example.test')), ['mx.test']);
  assert.deepEqual(await strict.route('hidden.test'), refused);
  assert.deepEqual(await strict.route('implicit.test'), refused);
  const open = await serveRoutes(t, records, { mx_allow_private: true });
  const found = await open.route('hidden.test');
  assert.deepEqual(found.kind === 'hosts' && found.hosts[0]?.addresses, ['::1', '127.0.0.1']);
});

test('an MX that is ourselves, by name or address, cuts all with equal or lower preference', async (t) => {
  const { route } = await serveRoutes(
    t,
    {
      'backup.test': { MX: ['5 best.test', '10 mx.chasqui.test', '10 equal.test', '20 worse.test'] },
      'address.test': { MX: ['5 best.test', '10 disguised.test', '20 worse.test'] },
      'ours.test': { MX: ['10 mx.chasqui.test', '20 worse.test'] },
      'same.test': { MX: ['10 disguised.test'] },
      'best.test': { A: ['8.8.8.1'] },
      'equal.test': { A: ['8.8.8.2'] },
      'worse.test': { A: ['8.8.8.3'] },
      'disguised.test': { A: ['8.8.8.9'] },
    },
    { own_addresses: ['8.8.8.9'] },
  );
  assert.deepEqual(namesOf(await route('backup.test')), ['best.test']);
  assert.deepEqual(namesOf(await route('address.test')), ['best.test']);
  const loop = { kind: 'no_route', reason: 'loops_to_us', permanent: false };
  assert.deepEqual(await route('ours.test'), loop);
  assert.deepEqual(await route('same.test'), loop);
});

test('a domain with very many hosts and addresses costs a bounded number of questions', async (t) => {
  const names = Array.from({ length: 60 }, (_, index) => `mx${index}.test`);
  const addresses = Array.from({ length: 30 }, (_, index) => `8.8.8.${index + 1}`);
  const { server, route } = await serveRoutes(t, {
    'example.test': { MX: names.map((name, index) => `${index} ${name}`) },
    ...Object.fromEntries(names.map((name) => [name, { A: addresses }])),
  });
  const found = await route('example.test');
  assert.deepEqual(namesOf(found), names.slice(0, 20));
  assert.ok(found.kind === 'hosts' && found.hosts.every((host) => host.addresses.length === 8));
  const namesAsked = new Set(server.queries.map(({ name, type }) => `${type} ${name}`));
  assert.equal(namesAsked.size, 41);
});

test('a route that is not found in time is an error', async (t) => {
  const { server, route } = await serveRoutes(t, { 'example.test': { A: ['8.8.8.8'] } }, { deadline_ms: 50 });
  server.fail('*', '*', 'TIMEOUT');
  assert.deepEqual(await route('example.test'), { kind: 'error', reason: 'timeout' });
  // The look-up itself asks again after 300 ms, and then gives up.
  assert.equal(server.queries.length, 1);
});

test('DNSSEC counts when it holds for the MX and for both addresses of the host', async (t) => {
  const { server, route } = await serveRoutes(t, {
    'example.test': { MX: ['10 mx.test', '20 other.test'] },
    'mx.test': { A: ['8.8.8.8'] },
    '_25._tcp.mx.test': { TLSA: ['3 1 1 abcd'] },
    '_25._tcp.other.test': { TLSA: ['3 1 1 abcd'] },
    'other.test': { A: ['8.8.4.4'] },
    'plain.test': { MX: ['10 mx.test'] },
  });
  server.authenticate('example.test');
  server.authenticate('mx.test');
  server.authenticate('_25._tcp.mx.test');
  server.authenticate('_25._tcp.other.test');
  const secure = async (domain: string): Promise<boolean[]> => {
    const found = await route(domain);
    return found.kind === 'hosts' ? found.hosts.map(({ tlsa }) => tlsa.length > 0) : [];
  };
  assert.deepEqual(await secure('example.test'), [true, false]);
  assert.deepEqual(await secure('plain.test'), [false]);
});
