import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from './parse-json.ts';

test('values of every kind are read as they are', () => {
  const value = { a: [1, 'x', null, true, { b: {} }], '': 0, toString: 'c', prototype: { d: 1 } };
  assert.deepEqual(parseJson(JSON.stringify(value)), value);
  for (const text of ['1', '"x"', 'null', 'false', '[]']) assert.deepEqual(parseJson(text), JSON.parse(text));
});

test('members that reach into a prototype are left out, however deep they stand and are spelled', () => {
  const poison = [
    '"__proto__":{"x":1}',
    '"\\u005f_proto_\\u005F":{"x":1}',
    '"constructor":{"prototype":{"x":1}}',
  ];
  for (const each of [...poison, '"c\\u006fnstructor":{"prototype":null}', poison.join()]) {
    assert.deepEqual(parseJson(`{"a":[{${each},"b":{${each}}}]}`), { a: [{ b: {} }] });
    assert.deepEqual(Object.keys(parseJson(`{${each}}`) as object), []);
  }
});

test('a constructor that is a word or has no prototype is a member like any other', () => {
  for (const text of [
    '{"constructor":"Renzo Piano"}',
    '{"constructor":null}',
    '{"constructor":{"name":"x"}}',
  ]) {
    assert.equal(JSON.stringify(parseJson(text)), text);
  }
});

test('nesting without end is read', () => {
  const depth = 200_000;
  assert.ok(Array.isArray(parseJson('['.repeat(depth) + ']'.repeat(depth))));
});

test('throws for invalid JSON', () => {
  for (const text of ['', '{', '{"a":1,}', 'undefined']) assert.throws(() => parseJson(text), SyntaxError);
});
