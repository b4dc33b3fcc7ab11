import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMovableClock } from '../../../test/support/movable-clock.ts';
import { createSmarthostRouter, readSmarthost, smarthostTls } from './smarthost.ts';

test('a URL tells host, port, TLS and credentials', () => {
  assert.deepEqual(readSmarthost('smtp://an%40a:p%3Aw%2F@Relay.Example.com:2525'), {
    host: 'relay.example.com',
    port: 2525,
    implicit_tls: false,
    credentials: { username: 'an@a', password: 'p:w/' },
  });
  assert.deepEqual(readSmarthost('smtps://[::1]'), {
    host: '::1',
    port: 465,
    implicit_tls: true,
    credentials: undefined,
  });
  assert.equal(readSmarthost('smtp://relay').port, 587);
});

test('credentials need TLS with a valid certificate, unless the smarthost is on this machine', () => {
  const remote = { address: '192.0.2.1', need: 'opportunistic' } as const;
  const local = { address: '127.0.0.1', need: 'opportunistic' } as const;
  const signed = readSmarthost('smtp://u:p@relay.test');
  assert.deepEqual(smarthostTls(signed, remote), {
    mode: 'required',
    servername: 'relay.test',
    verify: 'pkix',
  });
  assert.equal(smarthostTls(signed, { ...remote, need: 'never' }).mode, 'required');
  assert.equal(smarthostTls(signed, local).mode, 'opportunistic');
  const open = readSmarthost('smtp://relay.test');
  assert.deepEqual(smarthostTls(open, remote), {
    mode: 'opportunistic',
    servername: 'relay.test',
    verify: 'none',
  });
  assert.equal(smarthostTls(open, { ...remote, need: 'never' }).mode, 'never');
  assert.deepEqual(smarthostTls(readSmarthost('smtps://u:p@relay.test'), remote), {
    mode: 'implicit',
    servername: 'relay.test',
    verify: 'pkix',
  });
});

test('every domain has the same route, looked up once a minute and at once after an error', async () => {
  const clock = createMovableClock('2026-01-01T00:00:00Z');
  const answers = [
    async () => ['192.0.2.1'],
    async () => await Promise.reject(new Error('ENOTFOUND')),
    async () => ['::2'],
  ];
  let asked = 0;
  const router = createSmarthostRouter(
    { host: 'relay.test' },
    clock,
    async () => await (answers[asked++]?.() ?? []),
  );
  const addresses = async (domain: string) => {
    const route = await router.route(domain);
    return route.kind === 'hosts' ? route.hosts.map(({ addresses: found }) => found.join()) : route.kind;
  };
  assert.deepEqual(await addresses('a.test'), ['192.0.2.1']);
  assert.deepEqual(await addresses('b.test'), ['192.0.2.1']);
  assert.equal(asked, 1);
  clock.advance(61_000);
  assert.equal(await addresses('a.test'), 'error');
  assert.deepEqual(await addresses('a.test'), ['::2']);
});
