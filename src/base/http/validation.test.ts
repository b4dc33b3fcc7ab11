import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type, type TSchema } from 'typebox';
import type { Violation } from '../errors/problem.ts';
import { Enum, Nullable } from './schemas.ts';
import { compileValidator } from './validation.ts';

function violationsIn(schema: TSchema, value: unknown): Violation[] {
  return compileValidator(schema)(value);
}

const rules: [string, TSchema, unknown, Violation][] = [
  [
    'a required member',
    Type.Object({ a: Type.String() }),
    {},
    { pointer: '/a', code: 'missing', message: 'Field required' },
  ],
  [
    'a member that is not known',
    Type.Object({}, { additionalProperties: false }),
    { b: 1 },
    { pointer: '/b', code: 'extra_forbidden', message: 'Extra inputs are not permitted' },
  ],
  [
    'a member that is not known, beside known ones',
    Type.Object({ name: Type.String(), email: Type.String() }, { additionalProperties: false }),
    { name: '', email: '', emial: '' },
    {
      pointer: '/emial',
      code: 'extra_forbidden',
      message: "Extra inputs are not permitted; the nearest known name is 'email'",
    },
  ],
  [
    'a string',
    Type.String(),
    7,
    { pointer: '', code: 'string_type', message: 'Input should be a valid string' },
  ],
  [
    'an integer',
    Type.Integer(),
    null,
    { pointer: '', code: 'int_type', message: 'Input should be a valid integer' },
  ],
  [
    'an integer, given a string',
    Type.Integer(),
    '7',
    { pointer: '', code: 'int_parsing', message: 'Input should be a valid integer' },
  ],
  [
    'an integer, given a fraction',
    Type.Integer(),
    1.5,
    { pointer: '', code: 'int_from_float', message: 'Input should be a whole number' },
  ],
  [
    'an integer, given what no number holds',
    Type.Integer(),
    JSON.parse('1e400'),
    { pointer: '', code: 'finite_number', message: 'Input should be a finite number' },
  ],
  [
    'a number',
    Type.Number(),
    true,
    { pointer: '', code: 'float_type', message: 'Input should be a valid number' },
  ],
  [
    'a number, given a string',
    Type.Number(),
    '1.5',
    { pointer: '', code: 'float_parsing', message: 'Input should be a valid number' },
  ],
  [
    'a number, given what no number holds',
    Type.Number(),
    JSON.parse('-1e400'),
    { pointer: '', code: 'finite_number', message: 'Input should be a finite number' },
  ],
  [
    'a boolean',
    Type.Boolean(),
    1,
    { pointer: '', code: 'bool_type', message: 'Input should be a valid boolean' },
  ],
  [
    'a boolean, given a string',
    Type.Boolean(),
    'true',
    { pointer: '', code: 'bool_parsing', message: 'Input should be a valid boolean' },
  ],
  [
    'a list',
    Type.Array(Type.String()),
    {},
    { pointer: '', code: 'list_type', message: 'Input should be a valid list' },
  ],
  [
    'an object',
    Type.Object({}),
    [],
    { pointer: '', code: 'dict_type', message: 'Input should be a valid object' },
  ],
  ['null', Type.Null(), 0, { pointer: '', code: 'none_required', message: 'Input should be null' }],
  [
    'something or null',
    Nullable(Type.String()),
    7,
    { pointer: '', code: 'string_type', message: 'Input should be a valid string' },
  ],
  [
    'a least length',
    Type.String({ minLength: 1 }),
    '',
    {
      pointer: '',
      code: 'string_too_short',
      message: 'String should have at least 1 character',
      params: { min_length: 1 },
    },
  ],
  [
    'a greatest length, in characters',
    Type.String({ maxLength: 2 }),
    '😀😀😀',
    {
      pointer: '',
      code: 'string_too_long',
      message: 'String should have at most 2 characters',
      params: { max_length: 2 },
    },
  ],
  [
    'a least length, in characters',
    Type.String({ minLength: 2 }),
    '😀',
    {
      pointer: '',
      code: 'string_too_short',
      message: 'String should have at least 2 characters',
      params: { min_length: 2 },
    },
  ],
  [
    'a pattern',
    Type.String({ pattern: '^a$' }),
    'b',
    {
      pointer: '',
      code: 'string_pattern_mismatch',
      message: "String should match pattern '^a$'",
      params: { pattern: '^a$' },
    },
  ],
  [
    'a set of words',
    Enum(['a', 'b']),
    'c',
    {
      pointer: '',
      code: 'enum',
      message: "Input should be one of 'a', 'b'",
      params: { expected: ['a', 'b'] },
    },
  ],
  [
    'a set of words or null, given another type',
    Nullable(Enum(['a'])),
    7,
    { pointer: '', code: 'enum', message: "Input should be one of 'a'", params: { expected: ['a'] } },
  ],
  [
    'a least value',
    Type.Integer({ minimum: 1 }),
    0,
    {
      pointer: '',
      code: 'greater_than_equal',
      message: 'Input should be greater than or equal to 1',
      params: { ge: 1 },
    },
  ],
  [
    'a greatest value',
    Type.Integer({ maximum: 9 }),
    10,
    {
      pointer: '',
      code: 'less_than_equal',
      message: 'Input should be less than or equal to 9',
      params: { le: 9 },
    },
  ],
  [
    'a least number of items',
    Type.Array(Type.Any(), { minItems: 2 }),
    [1],
    {
      pointer: '',
      code: 'too_short',
      message: 'List should have at least 2 items',
      params: { min_length: 2, actual_length: 1 },
    },
  ],
  [
    'a greatest number of items',
    Type.Array(Type.Any(), { maxItems: 1 }),
    [1, 2],
    {
      pointer: '',
      code: 'too_long',
      message: 'List should have at most 1 item',
      params: { max_length: 1, actual_length: 2 },
    },
  ],
  [
    'a greatest number of members',
    Type.Unsafe({ type: 'object', maxProperties: 1 }),
    { a: 1, b: 2 },
    {
      pointer: '',
      code: 'too_long',
      message: 'Object should have at most 1 item',
      params: { max_length: 1 },
    },
  ],
  [
    'any other rule',
    Type.Integer({ multipleOf: 5 }),
    7,
    { pointer: '', code: 'value_error', message: 'Value is not valid: must be multiple of 5' },
  ],
];
for (const [name, schema, value, expected] of rules) {
  test(`the rule of ${name} has its code, words and params`, () => {
    assert.deepEqual(violationsIn(schema, value), [expected]);
  });
}

const found = (schema: TSchema, value: unknown): string[] =>
  violationsIn(schema, value).map(({ pointer, code }) => `${pointer} ${code}`);

test('a valid value has no violations and is not changed', () => {
  const schema = Type.Object({ a: Type.Optional(Type.Integer({ default: 7 })) });
  const value = { more: '1' };
  assert.deepEqual(violationsIn(schema, value), []);
  assert.deepEqual(value, { more: '1' });
});

test('every violation is told, each at its own place', () => {
  const item = Type.Object({ email: Type.String({ maxLength: 3 }), name: Type.Optional(Type.String()) });
  const schema = Type.Object({ subject: Type.String(), to: Type.Array(item) });
  assert.deepEqual(found(schema, { to: [{ email: 'long' }, { name: 7 }] }).sort(), [
    '/subject missing',
    '/to/0/email string_too_long',
    '/to/1/email missing',
    '/to/1/name string_type',
  ]);
});

test('names with slashes and tildes are escaped in pointers, as RFC 6901 has it', () => {
  const schema = Type.Object(
    { 'a/b': Type.Object({ 'c~d': Type.String() }) },
    { additionalProperties: false },
  );
  assert.deepEqual(found(schema, { 'a/b': {} }), ['/a~1b/c~0d missing']);
  assert.deepEqual(found(schema, { 'a/b': { 'c~d': 1 } }), ['/a~1b/c~0d string_type']);
  assert.deepEqual(found(schema, { 'a/b': { 'c~d': '' }, '~/': 1 }), ['/~0~1 extra_forbidden']);
});

const Recipient = Type.Object({ email: Type.String({ minLength: 3 }) });
const StringOrRecipient = Type.Union([Type.String(), Recipient]);

test('a union reports the branch that matched further than its type', () => {
  assert.deepEqual(found(StringOrRecipient, { email: '' }), ['/email string_too_short']);
  assert.deepEqual(found(StringOrRecipient, {}), ['/email missing']);
});

test('a union reports itself when no type fits, or its one type beside null', () => {
  assert.deepEqual(found(StringOrRecipient, 7), [' value_error']);
  const OneOrNull = Type.Union([Recipient, Type.Null()]);
  assert.deepEqual(found(OneOrNull, 'x'), [' dict_type']);
  assert.deepEqual(found(OneOrNull, {}), ['/email missing']);
});

test('every item of a list of unions is told, whatever its neighbours did wrong', () => {
  assert.deepEqual(found(Type.Array(StringOrRecipient), [7, { email: '' }, 'fine', {}]).sort(), [
    '/0 value_error',
    '/1/email string_too_short',
    '/3/email missing',
  ]);
});

test('a branch that failed deep inside only by type is reported there', () => {
  assert.deepEqual(found(StringOrRecipient, { email: 7 }), ['/email string_type']);
});

test('a value wrong in more than 100 ways is told 100 of them', () => {
  const values = Array.from({ length: 1000 }, () => 7);
  assert.equal(violationsIn(Type.Array(Type.String()), values).length, 100);
});

test('a list is validated to its end where little of it is wrong', () => {
  const values = [...Array.from({ length: 20_000 }, () => 'x'), 7];
  assert.deepEqual(found(Type.Array(Type.String()), values), ['/20000 string_type']);
  // A branch of a union that gave up does not make the next one give up.
  const either = Type.Union([Type.Array(Type.Integer()), Type.Array(Type.String())]);
  assert.deepEqual(found(either, values.slice(0, -1)), []);
  assert.notDeepEqual(found(either, values), []);
});

test('a list is validated no further than to its hundredth wrong item', () => {
  const validate = compileValidator(Type.Array(Type.Object({ a: Type.String() })));
  const values = Array.from({ length: 1_000_000 }, () => 7);
  const start = process.cpuUsage();
  assert.equal(validate(values).length, 100);
  assert.ok(process.cpuUsage(start).user < 200_000);
});

test('a body of 20,000 wrong values is validated in milliseconds', () => {
  const Item = Type.Object({ a: Nullable(Type.String()), b: Nullable(Type.Array(Nullable(Type.Integer()))) });
  const wrong = Array.from({ length: 4_000 }, () => ({ a: 1, b: ['x', 'y', {}] }));
  const members = Object.fromEntries(wrong.map((item, index) => [`k${index}`, item]));
  const cases: [TSchema, unknown][] = [
    [Type.Array(Item), wrong],
    [Type.Array(StringOrRecipient), wrong],
    [Type.Record(Type.String(), Type.String()), members],
    [Type.Record(Type.String(), Item), members],
    [Type.Object({}, { additionalProperties: false }), members],
  ];
  for (const [schema, value] of cases) {
    const validate = compileValidator(schema);
    const start = process.cpuUsage();
    assert.equal(validate(value).length, 100);
    const { user, system } = process.cpuUsage(start);
    assert.ok(user + system < 100_000, `${JSON.stringify(schema)} took ${user + system} µs`);
  }
});

test('a part with a name may be used twice in one schema', () => {
  const Part = Type.Object({ a: Type.String() }, { $id: 'Part' });
  assert.deepEqual(found(Type.Object({ one: Part, two: Type.Array(Part) }), { one: {}, two: [{}] }), [
    '/one/a missing',
    '/two/0/a missing',
  ]);
});

test('lengths are of characters, at the limit and one past it', () => {
  const Word = Type.String({ minLength: 2, maxLength: 3 });
  for (const text of ['ab', 'abc', '😀b', '😀😀', '😀😀😀', 'a😀c']) assert.deepEqual(found(Word, text), []);
  for (const text of ['', 'a', '😀']) assert.deepEqual(found(Word, text), [' string_too_short']);
  for (const text of ['abcd', 'abc😀', '😀😀😀😀']) assert.deepEqual(found(Word, text), [' string_too_long']);
});
