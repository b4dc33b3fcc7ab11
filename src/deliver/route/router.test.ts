import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startDnsServer, type Records } from '../../../test/support/dns-server.ts';
import { createMovableClock } from '../../../test/support/movable-clock.ts';
import { classifyRoute } from '../classify/classify-route.ts';
import { createLookupCache } from './lookup-cache.ts';
import { createRecordLookup } from './record-lookup.ts';
import { createRouter, type Route, type RouterOptions } from './router.ts';

async function serve(t: TestContext, records: Records, options: Partial<RouterOptions> = {}) {
  const server = await startDnsServer({ records });
  t.after(server.stop);
  const lookUp = createLookupCache(createRecordLookup({ servers: [server.address], timeout_ms: 900 }), {
    clock: createMovableClock('2026-01-01T00:00:00Z'),
  });
  const router = createRouter({
    lookUp,
    mx_allow_private: false,
    own_names: ['MX.chasqui.test.'],
    ...options,
  });
  return { server, route: async (domain: string) => await router.route(domain) };
}

function namesOf(route: Route): string[] {
  assert.equal(route.kind, 'hosts', JSON.stringify(route));
  return route.kind === 'hosts' ? route.hosts.map(({ name }) => name) : [];
}

test('hosts come by preference with their addresses, IPv6 first', async (t) => {
  const { route } = await serve(t, {
    'example.test': { MX: ['20 backup.test', '10 MX1.example.test'] },
    'mx1.example.test': { A: ['8.8.8.8'], AAAA: ['2a00:1450:4001:0:0:0:0:1a'] },
    'backup.test': { A: ['8.8.4.4'] },
  });
  assert.deepEqual(await route('Example.TEST.'), {
    kind: 'hosts',
    hosts: [
      {
        name: 'mx1.example.test',
        preference: 10,
        addresses: ['2a00:1450:4001::1a', '8.8.8.8'],
        authentic: false,
      },
      { name: 'backup.test', preference: 20, addresses: ['8.8.4.4'], authentic: false },
    ],
  });
});

test('hosts of equal preference change places from route to route without new questions', async (t) => {
  let turn = 0;
  const random = (): number => (turn++ % 2) * 0.99;
  const { server, route } = await serve(
    t,
    {
      'example.test': { MX: ['10 one.test', '10 two.test'] },
      'one.test': { A: ['8.8.8.1'] },
      'two.test': { A: ['8.8.8.2'] },
    },
    { random },
  );
  const first = new Set<string | undefined>();
  for (let round = 0; round < 4; round += 1) first.add(namesOf(await route('example.test'))[0]);
  assert.deepEqual(first, new Set(['one.test', 'two.test']));
  assert.equal(server.queries.length, 5);
});

test('a domain without MX is its own mail host', async (t) => {
  const { route } = await serve(t, {
    'example.test': { A: ['8.8.8.8'] },
    'alias.test': { CNAME: ['example.test'] },
  });
  const host = { preference: 0, addresses: ['8.8.8.8'], authentic: false };
  assert.deepEqual(await route('example.test'), {
    kind: 'hosts',
    hosts: [{ name: 'example.test', ...host }],
  });
  assert.deepEqual(await route('alias.test'), { kind: 'hosts', hosts: [{ name: 'alias.test', ...host }] });
});

test('an alias gives the MX of the name it stands for', async (t) => {
  const { route } = await serve(t, {
    'alias.test': { CNAME: ['example.test'] },
    'example.test': { MX: ['10 mx.test'] },
    'mx.test': { CNAME: ['real-mx.test'] },
    'real-mx.test': { A: ['8.8.8.8'] },
  });
  assert.deepEqual(namesOf(await route('alias.test')), ['mx.test']);
});

test('a null MX rejects mail; beside other records it means nothing', async (t) => {
  const { route } = await serve(t, {
    'null.test': { MX: ['0 .'], A: ['8.8.8.8'] },
    'mixed.test': { MX: ['0 .', '10 mx.test'] },
    'mx.test': { A: ['8.8.8.8'] },
  });
  assert.deepEqual(await route('null.test'), { kind: 'rejects_mail' });
  assert.deepEqual(namesOf(await route('mixed.test')), ['mx.test']);
});

test('a domain that does not exist, or has no mail host, has no route for good', async (t) => {
  const { route } = await serve(t, { 'example.test': { TXT: ['v=spf1 -all'] } });
  const gone = { kind: 'no_route', permanent: true };
  assert.deepEqual(await route('nothing.test'), { ...gone, reason: 'domain_not_found' });
  assert.deepEqual(await route('example.test'), { ...gone, reason: 'no_mail_host' });
  for (const literal of ['[192.0.2.1]', '[IPv6:2001:db8::1]', '192.0.2.1', '2001:db8::1']) {
    assert.deepEqual(await route(literal), { ...gone, reason: 'address_literal' });
  }
  for (const bad of ['', 'a..b', 'with space.test', `${'x'.repeat(64)}.test`, 'ñandú.test']) {
    assert.deepEqual(await route(bad), { ...gone, reason: 'bad_domain' });
  }
});

test('trouble with the MX is trouble, even where an address would be found', async (t) => {
  const { server, route } = await serve(t, { 'example.test': { A: ['8.8.8.8'] }, 'slow.test': {} });
  server.fail('example.test', 'MX', 'SERVFAIL');
  server.fail('slow.test', 'MX', 'TIMEOUT');
  assert.deepEqual(await route('example.test'), { kind: 'trouble', reason: 'servfail' });
  assert.deepEqual(await route('slow.test'), { kind: 'trouble', reason: 'timeout' });
});

test('a host without an address or with trouble is skipped while another is left', async (t) => {
  const { server, route } = await serve(t, {
    'example.test': { MX: ['5 broken.test', '7 nothing.test', '8 192.0.2.9', '10 mx.test'] },
    'mx.test': { A: ['8.8.8.8'] },
    'half.test': { MX: ['10 halfway.test'] },
    'halfway.test': { A: ['8.8.8.9'] },
    'bare.test': { MX: ['10 nothing.test', '20 192.0.2.9'] },
    'dark.test': { MX: ['10 nothing.test', '20 broken.test'] },
  });
  server.fail('broken.test', '*', 'SERVFAIL');
  server.fail('halfway.test', 'AAAA', 'SERVFAIL');
  assert.deepEqual(namesOf(await route('example.test')), ['mx.test']);
  assert.deepEqual(namesOf(await route('half.test')), ['halfway.test']);
  assert.deepEqual(await route('bare.test'), {
    kind: 'no_route',
    reason: 'mx_without_address',
    permanent: false,
  });
  assert.deepEqual(await route('dark.test'), { kind: 'trouble', reason: 'servfail' });
});

test('an MX on a private address is refused unless the test bed allows it', async (t) => {
  const records: Records = {
    'example.test': { MX: ['10 inside.test', '20 mx.test'] },
    'mx.test': { A: ['8.8.8.8', '10.0.0.1'] },
    'inside.test': { A: ['127.0.0.1'], AAAA: ['::1'] },
    'hidden.test': { MX: ['10 inside.test'] },
    'implicit.test': { A: ['169.254.169.254'] },
  };
  const strict = await serve(t, records);
  const refused = { kind: 'no_route', reason: 'mx_not_public', permanent: false };
  assert.deepEqual(namesOf(await strict.route('example.test')), ['mx.test']);
  assert.deepEqual(await strict.route('hidden.test'), refused);
  assert.deepEqual(await strict.route('implicit.test'), refused);
  const open = await serve(t, records, { mx_allow_private: true });
  const found = await open.route('hidden.test');
  assert.deepEqual(found.kind === 'hosts' && found.hosts[0]?.addresses, ['::1', '127.0.0.1']);
});

test('an MX that is ourselves, by name or address, cuts all that are no better', async (t) => {
  const { route } = await serve(
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
  const { server, route } = await serve(t, {
    'example.test': { MX: names.map((name, index) => `${index} ${name}`) },
    ...Object.fromEntries(names.map((name) => [name, { A: addresses }])),
  });
  const found = await route('example.test');
  assert.deepEqual(namesOf(found), names.slice(0, 20));
  assert.ok(found.kind === 'hosts' && found.hosts.every((host) => host.addresses.length === 8));
  const names_asked = new Set(server.queries.map(({ name, type }) => `${type} ${name}`));
  assert.equal(names_asked.size, 41);
});

test('a route that is not found in time is trouble', async (t) => {
  const { server, route } = await serve(t, { 'example.test': { A: ['8.8.8.8'] } }, { deadline_ms: 50 });
  server.fail('*', '*', 'TIMEOUT');
  const started = performance.now();
  assert.deepEqual(await route('example.test'), { kind: 'trouble', reason: 'timeout' });
  assert.ok(performance.now() - started < 600);
});

test('DNSSEC counts when it holds for the MX and for both addresses of the host', async (t) => {
  const { server, route } = await serve(t, {
    'example.test': { MX: ['10 mx.test', '20 other.test'] },
    'mx.test': { A: ['8.8.8.8'] },
    'other.test': { A: ['8.8.4.4'] },
    'plain.test': { MX: ['10 mx.test'] },
  });
  server.authenticate('example.test');
  server.authenticate('mx.test');
  const secure = async (domain: string): Promise<boolean[]> => {
    const found = await route(domain);
    return found.kind === 'hosts' ? found.hosts.map(({ authentic }) => authentic) : [];
  };
  assert.deepEqual(await secure('example.test'), [true, false]);
  assert.deepEqual(await secure('plain.test'), [false]);
});

test('what the lack of a route does to a mail', () => {
  const say = (route: Exclude<Route, { kind: 'hosts' }>, last_attempt = false): string => {
    const { verdict, enhanced } = classifyRoute(route, { last_attempt });
    const type = verdict.verdict === 'bounced' ? verdict.type : verdict.verdict;
    return `${type} ${enhanced} ${verdict.reason}`;
  };
  assert.equal(say({ kind: 'rejects_mail' }), 'hard 5.1.10 rejects_mail');
  const gone: Route = { kind: 'no_route', reason: 'domain_not_found', permanent: true };
  assert.equal(say(gone), 'hard 5.1.2 domain_not_found');
  const loop: Route = { kind: 'no_route', reason: 'loops_to_us', permanent: false };
  assert.equal(say(loop), 'deferred 4.4.6 loops_to_us');
  assert.equal(say(loop, true), 'soft 5.4.6 loops_to_us');
  assert.equal(say({ kind: 'trouble', reason: 'servfail' }), 'deferred 4.4.3 dns_servfail');
  assert.equal(say({ kind: 'trouble', reason: 'servfail' }, true), 'soft 5.4.3 dns_servfail');
});
