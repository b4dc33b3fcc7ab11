import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { Enum, Nullable } from './schemas.ts';
import { parseQuery, readStrings } from './query-input.ts';

const schema = Type.Object({
  name: Type.Optional(Type.String()),
  page: Type.Optional(Type.Integer({ default: 1 })),
  ratio: Type.Optional(Type.Number()),
  on: Type.Optional(Nullable(Type.Boolean())),
  kind: Type.Optional(Nullable(Enum(['a', 'b']))),
  size: Type.Optional(Nullable(Type.Integer())),
  label: Type.Optional(Nullable(Type.String())),
  contact: Type.Optional(Type.Array(Type.String())),
  id: Type.Optional(Type.Array(Type.Integer())),
});

function read(query: string): { values: unknown; violations: string[] } {
  const search = parseQuery(`/path?${query}`);
  const { values, violations } = readStrings(schema, (name) => search.getAll(name));
  return { values, violations: violations.map(({ pointer, code }) => `${pointer} ${code}`) };
}

test('strings become the types of the schema, and defaults fill what is not given', () => {
  assert.deepEqual(read(''), { values: { page: 1 }, violations: [] });
  assert.deepEqual(read('page=7&ratio=-.5e1&on=FALSE&kind=a&name=x').values, {
    page: 7,
    ratio: -5,
    on: false,
    kind: 'a',
    name: 'x',
  });
});

test('a plus is a space and %2B is a plus', () => {
  assert.deepEqual(read('name=a+b%2Bc%20d').values, { page: 1, name: 'a b+c d' });
});

test('a parameter that is not known is left out, whatever it is called', () => {
  assert.deepEqual(read('nonsense=1&__proto__=2&constructor=3').values, { page: 1 });
});

test('the last of a repeated parameter counts, and all of a list', () => {
  assert.deepEqual(read('page=1&page=2&contact=a&contact=b&contact=').values, {
    page: 2,
    contact: ['a', 'b', ''],
  });
});

test('a value that does not parse is reported once, with its place in a list', () => {
  assert.deepEqual(read('page=x&ratio=y&on=z&id=1&id=two&id=3&id=').violations, [
    '/page int_parsing',
    '/ratio float_parsing',
    '/on bool_parsing',
    '/id/1 int_parsing',
    '/id/3 int_parsing',
  ]);
});

test('numbers are decimal digits and nothing else', () => {
  for (const text of ['0x10', '1e3', '1_000', ' 1', '1 ', '٣', 'NaN', 'Infinity', '--1']) {
    assert.deepEqual(read(`page=${encodeURIComponent(text)}`).violations, ['/page int_parsing'], text);
  }
  for (const text of ['NaN', 'Infinity', '1,5', '1.5.', 'e5', '.']) {
    assert.deepEqual(read(`ratio=${encodeURIComponent(text)}`).violations, ['/ratio float_parsing'], text);
  }
});

test('booleans are not found on prototypes', () => {
  for (const text of ['constructor', '__proto__', 'toString', 'yes', 'NULL']) {
    assert.deepEqual(read(`on=${text}`).violations, ['/on bool_parsing'], text);
  }
});

test('the word null is null where the schema allows it, and text where it asks for text', () => {
  assert.deepEqual(read('on=null&kind=null&size=null'), {
    values: { page: 1, on: null, kind: null, size: null },
    violations: [],
  });
  assert.deepEqual(read('name=null&label=null').values, { page: 1, name: 'null', label: 'null' });
  assert.deepEqual(read('page=null').violations, ['/page int_parsing']);
});

test('an empty value is as if the parameter was left out, whatever its type', () => {
  const empty = ['name', 'page', 'ratio', 'on', 'kind', 'size', 'label'].map((name) => `${name}=`).join('&');
  assert.deepEqual(read(empty), { values: { page: 1 }, violations: [] });
  assert.deepEqual(read('page=7&page=&name&size'), { values: { page: 1 }, violations: [] });
});

test('rejects a percent-encoding that is not UTF-8 before anything is read', () => {
  for (const query of [
    'name=%',
    'name=%4',
    'name=%zz',
    'name=%ff',
    'name=%ED%A0%80',
    '%=1',
    'other=%C3%28',
  ]) {
    assert.throws(() => parseQuery(`/path?${query}`), { code: 'bad_request' }, query);
  }
  assert.deepEqual([...parseQuery('/path')], []);
  assert.deepEqual([...parseQuery('/path?')], []);
  assert.deepEqual([...parseQuery('/path?a=b?c')], [['a', 'b?c']]);
});
