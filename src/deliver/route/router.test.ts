import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesOf, serveRoutes } from './router.fixture.ts';

test('hosts come by preference with their addresses, IPv6 first', async (t) => {
  const { route } = await serveRoutes(t, {
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
        tlsa: [],
      },
      { name: 'backup.test', preference: 20, addresses: ['8.8.4.4'], tlsa: [] },
    ],
  });
});

test('hosts of equal preference change places from route to route without new questions', async (t) => {
  let turn = 0;
  const random = (): number => (turn++ % 2) * 0.99;
  const { server, route } = await serveRoutes(
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
  const { route } = await serveRoutes(t, {
    'example.test': { A: ['8.8.8.8'] },
    'alias.test': { CNAME: ['example.test'] },
  });
  const host = { preference: 0, addresses: ['8.8.8.8'], tlsa: [] };
  assert.deepEqual(await route('example.test'), {
    kind: 'hosts',
    hosts: [{ name: 'example.test', ...host }],
  });
  assert.deepEqual(await route('alias.test'), { kind: 'hosts', hosts: [{ name: 'alias.test', ...host }] });
});

test('an alias gives the MX of the name it stands for', async (t) => {
  const { route } = await serveRoutes(t, {
    'alias.test': { CNAME: ['example.test'] },
    'example.test': { MX: ['10 mx.test'] },
    'mx.test': { CNAME: ['real-mx.test'] },
    'real-mx.test': { A: ['8.8.8.8'] },
  });
  assert.deepEqual(namesOf(await route('alias.test')), ['mx.test']);
});

test('a null MX rejects mail; beside other records it means nothing', async (t) => {
  const { route } = await serveRoutes(t, {
    'null.test': { MX: ['0 .'], A: ['8.8.8.8'] },
    'mixed.test': { MX: ['0 .', '10 mx.test'] },
    'mx.test': { A: ['8.8.8.8'] },
  });
  assert.deepEqual(await route('null.test'), { kind: 'rejects_mail' });
  assert.deepEqual(namesOf(await route('mixed.test')), ['mx.test']);
});

test('a domain that does not exist, or has no mail host, permanently has no route', async (t) => {
  const { route } = await serveRoutes(t, { 'example.test': { TXT: ['v=spf1 -all'] } });
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

test('an error of the MX lookup is an error, even where an address would be found', async (t) => {
  const { server, route } = await serveRoutes(t, { 'example.test': { A: ['8.8.8.8'] } });
  server.fail('example.test', 'MX', 'SERVFAIL');
  assert.deepEqual(await route('example.test'), { kind: 'error', reason: 'servfail' });
  const silent = await serveRoutes(t, { 'slow.test': { A: ['8.8.8.8'] } }, { timeout_ms: 300 });
  silent.server.fail('slow.test', 'MX', 'TIMEOUT');
  assert.deepEqual(await silent.route('slow.test'), { kind: 'error', reason: 'timeout' });
});

test('a host without an address, or whose lookup failed, is skipped while another is left', async (t) => {
  const { server, route } = await serveRoutes(t, {
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
  assert.deepEqual(await route('dark.test'), { kind: 'error', reason: 'servfail' });
});
