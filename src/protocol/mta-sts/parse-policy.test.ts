import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLinear } from '../mime/growth.fixture.ts';
import { parseAnnouncement, parsePolicy, policyNames } from './parse-policy.ts';

const lines = (...text: string[]): string => text.join('\r\n');

test('the example of RFC 8461 is read', () => {
  const text = lines(
    'version: STSv1',
    'mode: enforce',
    'mx: mail.example.com',
    'mx: *.Example.net',
    'mx: backupmx.example.com',
    'max_age: 604800',
    '',
  );
  const policy = {
    mode: 'enforce',
    mx: ['mail.example.com', '*.example.net', 'backupmx.example.com'],
    max_age_seconds: 604_800,
  };
  assert.deepEqual(parsePolicy(text), policy);
  assert.deepEqual(parsePolicy(text.replaceAll('\r\n', '\n')), policy);
  assert.deepEqual(parsePolicy(text.replaceAll(': ', '\t :  ').replaceAll('\r\n', ' \r\n')), policy);
});

test('unknown fields are passed over, and of a repeated field the first counts', () => {
  const text = lines(
    'x-new.field: a: b',
    'version: STSv1',
    'mode: testing',
    'mode: enforce',
    'mx: a.test',
    'max_age: 60',
    'max_age: 1',
  );
  assert.deepEqual(parsePolicy(text), { mode: 'testing', mx: ['a.test'], max_age_seconds: 60 });
});

test('max_age is at most a year, and may be nothing', () => {
  const age = (value: string) =>
    parsePolicy(lines('version: STSv1', 'mode: none', `max_age: ${value}`))?.max_age_seconds;
  assert.equal(age('31557600'), 31_557_600);
  assert.equal(age('9999999999'), 31_557_600);
  assert.equal(age('0'), 0);
  for (const bad of ['-1', '1.5', '1e9', '10 000', 'week', '99999999999'])
    assert.equal(age(bad), undefined, bad);
});

test('a malformed policy is ignored', () => {
  const good = ['version: STSv1', 'mode: enforce', 'mx: mail.example.com', 'max_age: 86400'];
  assert.ok(parsePolicy(lines(...good)));
  const bad = [
    [],
    good.slice(1),
    good.filter((line) => !line.startsWith('mode')),
    good.filter((line) => !line.startsWith('mx')),
    good.filter((line) => !line.startsWith('max_age')),
    ['version: STSv2', ...good.slice(1)],
    ['Version: STSv1', ...good.slice(1)],
    [...good, 'mx: '],
    [...good, 'mx: mail..example.com'],
    [...good, 'mx: *.*.example.com'],
    [...good, 'mx: mail.*.com'],
    [...good, 'mx: *'],
    [...good, 'no colon here'],
    [...good, '<html>'],
    good.map((line) => line.replace('enforce', 'Enforce')),
    [...good, ...Array.from({ length: 501 }, (_, index) => `mx: m${index}.test`)],
  ];
  for (const text of bad) assert.equal(parsePolicy(lines(...text)), undefined, text.join(' / '));
  assert.equal(parsePolicy(`${'a'.repeat(64_000)}: b`), undefined);
});

test('the announcement gives the id of the policy, when there is exactly one', () => {
  assert.equal(parseAnnouncement(['v=STSv1; id=20160831085700Z;']), '20160831085700Z');
  assert.equal(parseAnnouncement(['v=STSv1;id=1', 'google-site-verification=x']), '1');
  assert.equal(parseAnnouncement(['v=STSv1 ; id=abc ; new=field']), 'abc');
  const bad = [
    [],
    ['v=spf1 -all'],
    ['v=STSv1; id=1;', 'v=STSv1; id=2;'],
    ['v=STSv1;'],
    ['v=STSv1; id=;'],
    ['v=STSv1; id=with-dash;'],
    [`v=STSv1; id=${'a'.repeat(33)};`],
    ['v=STSv1; id=1; id=2'],
    ['id=1; v=STSv1'],
    ['v=STSv10; id=1'],
    ['v=stsv1; id=1'],
  ];
  for (const records of bad) assert.equal(parseAnnouncement(records), undefined, records.join(' / '));
});

test('a wildcard stands for one label', () => {
  const policy = { mx: ['mail.example.com', '*.example.net'] };
  for (const host of ['mail.example.com', 'MAIL.Example.com.', 'a.example.net']) {
    assert.equal(policyNames(policy, host), true, host);
  }
  for (const host of [
    'example.com',
    'a.mail.example.com',
    'example.net',
    'a.b.example.net',
    'aexample.net',
    '',
    'net',
  ]) {
    assert.equal(policyNames(policy, host), false, host);
  }
});

test('a file of many fields takes time in proportion to its length', () => {
  assertLinear(parsePolicy, {
    pieces: ['a:b\n', 'mx:a.test\n'],
    seed: 113,
    octets: 60_000,
    ns_per_octet: 1_000,
  });
});
