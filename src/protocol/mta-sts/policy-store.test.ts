import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMovableClock } from '../../../test/support/movable-clock.ts';
import type { DnsOutcome } from '../dns/client/resolver.ts';
import type { FetchedPolicy } from './fetch-policy.ts';
import { createPolicyStore } from './policy-store.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

function setUp(maxEntries = 100) {
  const clock = createMovableClock('2026-01-01T00:00:00Z');
  const world: { txt: DnsOutcome<string>; web: FetchedPolicy; asked: string[]; fetched: string[] } = {
    txt: { kind: 'missing' },
    web: { kind: 'failed', reason: 'no_host' },
    asked: [],
    fetched: [],
  };
  const store = createPolicyStore({
    clock,
    max_entries: maxEntries,
    async txt(name) {
      world.asked.push(name);
      return world.txt;
    },
    async fetchPolicy(domain) {
      world.fetched.push(domain);
      return world.web;
    },
  });
  const announce = (id: string): void => {
    world.txt = { kind: 'found', records: [`v=STSv1; id=${id};`] };
  };
  const publish = (mode: string, maxAge = 7 * 86_400): void => {
    world.web = { kind: 'fetched', text: `version: STSv1\nmode: ${mode}\nmx: mx.test\nmax_age: ${maxAge}\n` };
  };
  const modeOf = async (domain = 'example.test') => (await store.policyFor(domain))?.mode;
  return { clock, world, store, announce, publish, modeOf };
}

test('a domain that announces nothing is not fetched from, and is asked about again after a while', async () => {
  const { clock, world, announce, publish, modeOf } = setUp();
  publish('enforce');
  assert.equal(await modeOf(), undefined);
  assert.equal(await modeOf('Example.TEST'), undefined);
  assert.deepEqual(world.asked, ['_mta-sts.example.test']);
  assert.deepEqual(world.fetched, []);
  announce('1');
  clock.advance(5 * minute);
  assert.equal(await modeOf(), 'enforce');
});

test('a policy is fetched once, and again when its id changes', async () => {
  const { clock, world, announce, publish, modeOf } = setUp();
  announce('1');
  publish('testing');
  assert.equal(await modeOf(), 'testing');
  publish('enforce');
  clock.advance(5 * minute);
  assert.equal(await modeOf(), 'testing');
  assert.equal(world.fetched.length, 1);
  announce('2');
  clock.advance(5 * minute);
  assert.equal(await modeOf(), 'enforce');
  assert.equal(world.fetched.length, 2);
});

test('a failed or malformed fetch keeps the cached policy, and is tried again later', async () => {
  const { clock, world, announce, publish, modeOf } = setUp();
  announce('1');
  publish('enforce');
  await modeOf();
  announce('2');
  const broken: FetchedPolicy[] = [
    { kind: 'failed', reason: 'timeout' },
    { kind: 'fetched', text: '<html>not found</html>' },
  ];
  for (const web of broken) {
    world.web = web;
    clock.advance(10 * minute);
    assert.equal(await modeOf(), 'enforce');
    clock.advance(9 * minute);
    assert.equal(await modeOf(), 'enforce');
  }
  assert.equal(world.fetched.length, 3);
  publish('none');
  clock.advance(minute);
  assert.equal(await modeOf(), 'none');
});

test('a policy binds until it expires though DNS goes silent', async () => {
  const { clock, world, announce, publish, modeOf } = setUp();
  announce('1');
  publish('enforce', 86_400);
  await modeOf();
  world.web = { kind: 'failed', reason: 'no_host' };
  const silences: DnsOutcome<string>[] = [{ kind: 'missing' }, { kind: 'error', reason: 'timeout' }];
  for (const silence of silences) {
    world.txt = silence;
    clock.advance(day / 3);
    assert.equal(await modeOf(), 'enforce');
  }
  clock.advance(day / 3 - 1);
  assert.equal(await modeOf(), 'enforce');
  clock.advance(1);
  assert.equal(await modeOf(), undefined);
});

test('a policy is refreshed daily under the same id, sooner when it is shorter', async () => {
  const { clock, world, announce, publish, modeOf } = setUp();
  announce('1');
  publish('testing', 30 * 86_400);
  await modeOf();
  clock.advance(day - 1);
  await modeOf();
  assert.equal(world.fetched.length, 1);
  publish('enforce', 3600);
  clock.advance(5 * minute);
  assert.equal(await modeOf(), 'enforce');
  clock.advance(30 * minute);
  publish('none', 3600);
  assert.equal(await modeOf(), 'none');
});

test('a policy of no duration is used, and not fetched for every mail', async () => {
  const { clock, world, announce, publish, modeOf } = setUp();
  announce('1');
  publish('enforce', 0);
  for (let mail = 0; mail < 10; mail += 1) assert.equal(await modeOf(), 'enforce');
  assert.equal(world.fetched.length, 1);
  world.web = { kind: 'failed', reason: 'timeout' };
  clock.advance(5 * minute);
  assert.equal(await modeOf(), undefined);
});

test('a failed fetch without a cached policy means no policy for some minutes', async () => {
  const { clock, world, announce, publish, modeOf } = setUp();
  announce('1');
  assert.equal(await modeOf(), undefined);
  publish('enforce');
  clock.advance(10 * minute - 1);
  assert.equal(await modeOf(), undefined);
  assert.equal(world.fetched.length, 1);
  clock.advance(1);
  assert.equal(await modeOf(), 'enforce');
});

test('callers at the same time share one fetch', async () => {
  const { world, announce, publish, modeOf } = setUp();
  announce('1');
  publish('enforce');
  const modes = await Promise.all(Array.from({ length: 20 }, async () => await modeOf()));
  assert.ok(modes.every((mode) => mode === 'enforce'));
  assert.equal(world.asked.length, 1);
  assert.equal(world.fetched.length, 1);
});

test('domains without a policy make room before those with one', async () => {
  const { world, announce, publish, modeOf } = setUp(3);
  announce('1');
  publish('enforce');
  await modeOf('bound.test');
  world.txt = { kind: 'missing' };
  for (let index = 0; index < 20; index += 1) await modeOf(`plain${index}.test`);
  assert.equal(await modeOf('bound.test'), 'enforce');
  assert.equal(world.asked.filter((name) => name.includes('bound')).length, 1);
});

test('a domain is asked about again although the clock was set back', async () => {
  const { clock, announce, publish, modeOf } = setUp();
  assert.equal(await modeOf(), undefined);
  announce('1');
  publish('enforce');
  clock.advance(-day);
  assert.equal(await modeOf(), 'enforce');
});
