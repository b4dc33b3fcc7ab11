import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MtaStsPolicy } from '../protocol/mta-sts/parse-policy.ts';
import type { MailHost } from './route/resolve-hosts.ts';
import { targetsOf } from './targets.ts';

const usable = { usage: 3, selector: 1, matching_type: 1, data: Buffer.alloc(32) };
const unusable = { ...usable, usage: 1 };
const host = (name: string, tlsa: MailHost['tlsa'] = [], addresses = ['192.0.2.1']): MailHost => ({
  name,
  preference: 10,
  addresses,
  tlsa,
});
const policy = (mode: MtaStsPolicy['mode']): MtaStsPolicy => ({
  mode,
  mx: ['named.test'],
  max_age_seconds: 1,
});
const needs = (hosts: MailHost[], given?: MtaStsPolicy): string[] =>
  targetsOf(hosts, { domain: 'to.test', policy: given }).map((target) => `${target.host} ${target.tls}`);

test('without records and policy TLS is used if it can be', () => {
  assert.deepEqual(needs([host('a.test'), host('b.test')]), ['a.test opportunistic', 'b.test opportunistic']);
  assert.deepEqual(needs([host('a.test')], policy('testing')), ['a.test opportunistic']);
});

test('a policy in force leaves the hosts it names, with their certificates', () => {
  assert.deepEqual(needs([host('a.test'), host('named.test')], policy('enforce')), ['named.test verified']);
});

test('TLSA records decide before a policy does', () => {
  const hosts = [host('a.test', [usable, unusable]), host('named.test', [usable]), host('other.test')];
  assert.deepEqual(needs(hosts, policy('enforce')), ['a.test dane', 'named.test dane']);
  const [target] = targetsOf(hosts, { domain: 'to.test', policy: undefined });
  assert.deepEqual(target?.dane, { records: [usable, unusable], names: ['a.test', 'to.test'] });
});

test('records without a known form require TLS with any certificate', () => {
  assert.deepEqual(needs([host('a.test', [unusable])]), ['a.test encrypted']);
});

test('no more than four places', () => {
  const many = ['1', '2', '3'].map((digit) => `192.0.2.${digit}`);
  assert.equal(needs([host('a.test', [], many), host('b.test', [], many)]).length, 4);
});
