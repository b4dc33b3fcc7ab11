import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FormField } from './fillable-form.ts';
import { readAnswer } from './read-answer.ts';

type Case = [type: FormField['type'], config: object | null, sent: unknown, expected: unknown];

const options = {
  options: [
    { value: 'RED', label: 'Red' },
    { value: 'BLUE', label: 'Blue' },
  ],
};

const accepted: Case[] = [
  ['email', null, ' Ana@EXAMPLE.com ', 'Ana@example.com'],
  ['phone', null, '+56 (9) 1234-5678', '+56912345678'],
  ['text', null, '  Ana  ', 'Ana'],
  ['text', null, 'x'.repeat(1000), 'x'.repeat(1000)],
  ['textarea', null, 'one\r\ntwo\t', 'one\ntwo\t'],
  ['address', null, 'Av. Siempre Viva 742', 'Av. Siempre Viva 742'],
  ['number', null, '-1.50', -1.5],
  ['number', null, 7, 7],
  ['number', { min: 1, max: 3 }, '3', 3],
  ['date', null, '2028-02-29', '2028-02-29'],
  ['date', { min: '2026-01-01', max: '2026-12-31' }, '2026-12-31', '2026-12-31'],
  ['select', options, 'RED', 'RED'],
  ['multiselect', options, ['BLUE', 'RED', 'BLUE'], ['BLUE', 'RED']],
  ['multiselect', options, 'RED', ['RED']],
  ['boolean', null, 'true', true],
  ['boolean', null, false, false],
  ['url', null, 'https://example.com/a?b=1', 'https://example.com/a?b=1'],
];
for (const [type, config, sent, expected] of accepted) {
  test(`${type} takes ${JSON.stringify(sent).slice(0, 40)}`, () => {
    assert.deepEqual(readAnswer({ type, config }, sent), { answer: expected });
  });
}

const refused: Case[] = [
  ['email', null, 'ana', 'value_error.email'],
  ['phone', null, '12', 'value_error.phone'],
  ['phone', null, 'call me', 'value_error.phone'],
  ['text', null, 'x'.repeat(1001), 'string_too_long'],
  ['text', { max_length: 3 }, 'four', 'string_too_long'],
  ['text', { min_length: 5 }, 'four', 'string_too_short'],
  ['text', null, 'two\nlines', 'string_pattern_mismatch'],
  ['text', null, 7, 'string_type'],
  ['text', null, ['a'], 'string_type'],
  ['textarea', null, 'bell\u0007', 'string_pattern_mismatch'],
  ['number', null, '1,5', 'float_parsing'],
  ['number', null, '1e9', 'float_parsing'],
  ['number', null, Infinity, 'finite_number'],
  ['number', { min: 1 }, '0', 'greater_than_equal'],
  ['number', { max: 1 }, 2, 'less_than_equal'],
  ['date', null, '2026-02-29', 'date_parsing'],
  ['date', null, '1/2/2026', 'date_parsing'],
  ['date', { max: '2026-12-31' }, '2027-01-01', 'less_than_equal'],
  ['select', options, 'Red', 'enum'],
  ['select', null, 'RED', 'enum'],
  ['multiselect', options, ['RED', 'Blue'], 'enum'],
  ['multiselect', options, [7], 'enum'],
  ['boolean', null, 'yes', 'bool_parsing'],
  ['url', null, 'javascript:alert(1)', 'value_error.url'],
  ['url', null, 'https://user:pass@example.com', 'value_error.url'],
];
for (const [type, config, sent, expected] of refused) {
  test(`${type} refuses ${JSON.stringify(sent).slice(0, 40)}: ${String(expected)}`, () => {
    const read = readAnswer({ type, config }, sent);
    assert.ok('code' in read);
    assert.equal(read.code, expected);
  });
}
