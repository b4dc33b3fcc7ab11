import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsedLiquid } from './parsed-liquid.ts';

test('a source is parsed once for each kind', () => {
  const source = 'Hello {{ recipient.name }}';
  const first = parsedLiquid(source, 'html');
  assert.equal(parsedLiquid('Hello {{ recipient.name }}'.slice(0), 'html'), first);
  assert.notEqual(parsedLiquid(source, 'plain'), first);
  assert.notEqual(parsedLiquid(`${source}!`, 'html'), first);
});

test('the template unused for longest is removed when others need the room', () => {
  const [kept, forgotten] = [parsedLiquid('kept', 'html'), parsedLiquid('forgotten', 'html')];
  for (let n = 0; n < 10; n += 1) {
    parsedLiquid(`${n}${'x'.repeat(2 * 1024 * 1024)}`, 'html');
    assert.equal(parsedLiquid('kept', 'html'), kept);
  }
  assert.notEqual(parsedLiquid('forgotten', 'html'), forgotten);
});

test('a template that cannot be parsed is not kept', () => {
  for (let n = 0; n < 2; n += 1) assert.throws(() => parsedLiquid('{% if a %}', 'html'), /not closed/);
});
