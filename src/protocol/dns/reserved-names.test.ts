import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReservedName } from './reserved-names.ts';

test('names that cannot be delegated are reserved, with what is below them and in any spelling', () => {
  for (const name of ['test', 'Chasqui.TEST.', 'a.b.example', 'example.com', 'mail.example.org', 'localhost'])
    assert.ok(isReservedName(name), name);
});

test('names that only look alike are not', () => {
  for (const name of ['mail.acme.cl', 'contest', 'mytest', 'notexample.com', 'example.cl', 'test.com', ''])
    assert.ok(!isReservedName(name), name);
});
