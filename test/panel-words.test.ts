import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';

/** What the module of languages touches when it is loaded in a browser. */
before(() => {
  const kept = { getItem: () => null, setItem: () => undefined };
  Object.assign(globalThis, { localStorage: kept, document: { documentElement: {} } });
});

const panel = path.resolve(import.meta.dirname, '../panel/src');
const files = globSync('**/words.ts', { cwd: panel });

test('there are dictionaries to judge', () => assert.ok(files.length > 3, `${files.length} files`));

for (const file of files) {
  test(`${file} says everything in English and in Spanish`, async () => {
    const { words } = (await import(path.join(panel, file))) as { words: { en: object; es: object } };
    const [english, spanish] = [leaves(words.en), leaves(words.es)];
    assert.deepEqual([...spanish.keys()].toSorted(), [...english.keys()].toSorted());
    for (const [name, value] of [...english, ...spanish]) assert.notEqual(value, '', name);
  });
}

/** Every text by its path; a function by what it takes. */
function leaves(words: object, at = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([name, value]: [string, unknown]) => {
      const place = at === '' ? name : `${at}.${name}`;
      if (typeof value === 'object' && value !== null) return [...leaves(value, place)];
      return [
        [place, typeof value === 'function' ? `${value.length} values` : String(value).trim()] as const,
      ];
    }),
  );
}
