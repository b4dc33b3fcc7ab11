import assert from 'node:assert/strict';
import { test } from 'node:test';
import { variablesOf } from '../../panel/src/pages/template/sample-variables.ts';

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('samples become the variables of a send, nested as their names say', () => {
  const samples = {
    'order.number': '1001',
    'order.items': '[{"name": "Tea"}]',
    'order.note': 'no. 7',
    'guests[1].name': 'Eva',
    '["first name"].short': 'true',
    'recipient.name': 'Ana',
  };
  assert.deepEqual(json(variablesOf(samples)), {
    order: { number: 1001, items: [{ name: 'Tea' }], note: 'no. 7' },
    guests: [null, { name: 'Eva' }],
    'first name': { short: true },
  });
});

test('text that only looks like JSON stays text, and so do numbers that would change', () => {
  const samples = { a: '[not json', b: '007', c: '12345678901234567890', d: '1e3', e: ' - ', f: 'truth' };
  assert.deepEqual(json(variablesOf(samples)), samples);
});

test('a value that others lie in is merged with them, whatever its kind', () => {
  assert.deepEqual(json(variablesOf({ order: '{"id": 1}', 'order.number': '2' })), {
    order: { id: 1, number: 2 },
  });
  assert.deepEqual(json(variablesOf({ order: 'text', 'order.number': '2' })), { order: { number: 2 } });
});

test('names of the language itself reach nothing', () => {
  const variables = variablesOf({ '__proto__.polluted': 'yes', 'constructor.prototype.polluted': 'yes' });
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  assert.deepEqual(Object.keys(variables), ['__proto__', 'constructor']);
});

test('only the names that are asked for are given', () => {
  assert.deepEqual(json(variablesOf({ a: '1', b: '2' }, ['b', 'c'])), { b: 2 });
});
