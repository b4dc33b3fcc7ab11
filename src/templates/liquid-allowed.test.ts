import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { filters, tags } from 'liquidjs';
import { validateLiquid } from './validate-liquid.ts';
import { allowedFilters, allowedTags } from './liquid-names.ts';

const guide = readFileSync(new URL('../../docs/templates.md', import.meta.url), 'utf8');
const validate = (source: string) => validateLiquid({ pointer: '/source', source, kind: 'html' });

test('the guide lists what is allowed, and nothing else', () => {
  const rows = guide.slice(guide.indexOf('### Tags and filters'), guide.indexOf('### How much')).split('\n');
  const namesIn = (row: string): string[] => [...row.matchAll(/`([\w#]+)`/g)].map(([, name = '']) => name);
  const listed = rows.filter((row) => row.startsWith('|')).map((row) => namesIn(row));
  const [, , listedTags = [], ...listedFilters] = listed;
  assert.deepEqual(listedTags.toSorted(), [...allowedTags].toSorted());
  assert.deepEqual(listedFilters.flat().toSorted(), [...allowedFilters].toSorted());
});

test('everything else of the engine is refused by name, with its line', () => {
  const refused = Object.keys(filters).filter((name) => !allowedFilters.includes(name));
  assert.ok(refused.includes('find_exp') && refused.includes('raw') && refused.length > 20);
  for (const name of refused) {
    const [found] = validate(`\n{{ a | ${name}: "b", "c" }}`);
    assert.equal(found?.message, `Line 2, column 1: the filter ${name} is not allowed`);
  }
  for (const name of Object.keys(tags).filter((each) => !allowedTags.includes(each))) {
    const [found] = validate(`\n\n{% ${name} a %}`);
    assert.equal(found?.message, `Line 3, column 1: the tag ${name} is not allowed`);
  }
});

test('members of Object.prototype are neither tags nor filters', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    assert.match(validate(`{{ a | ${name} }}`)[0]?.message ?? '', /undefined filter/);
    assert.match(validate(`{% ${name} a %}`)[0]?.message ?? '', /not found/);
  }
});

test('tags in a branch that is not taken are checked too', () => {
  for (const hidden of ['{{ a | find_exp: "x", "y" }}', '{% assign b = a | where: "x" %}', '{% cycle a %}']) {
    assert.equal(validate(`{% if false %}${hidden}{% endif %}`)[0]?.code, 'value_error.liquid', hidden);
  }
});

test('every filter that is allowed works', () => {
  for (const name of allowedFilters) {
    const source = `{{ "3.5" | ${name}: "1" }}{{ "a,b" | split: "," | ${name}: "1" }}`;
    assert.deepEqual(validate(source), [], name);
  }
});
