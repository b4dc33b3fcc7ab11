import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const folder = path.resolve(import.meta.dirname, '../panel/src/messages');
const languages = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const subjects = readdirSync(path.join(folder, 'en')).filter((name) => name !== 'counting.ts');

const messagesOf = async (language: string, file: string): Promise<Map<string, string>> => {
  const { messages } = (await import(path.join(folder, language, file))) as { messages: object };
  return leaves(messages);
};

test('there are languages and messages to judge', () => {
  assert.ok(languages.length > 1, languages.join());
  assert.ok(subjects.length > 40, `${subjects.length} files`);
});

for (const language of languages.filter((each) => each !== 'en')) {
  test(`${language} says everything that English says, and nothing else`, async () => {
    const folderOf = (each: string): string[] => readdirSync(path.join(folder, each)).toSorted();
    assert.deepEqual(folderOf(language), folderOf('en'));
    for (const file of subjects) {
      const [english, other] = [await messagesOf('en', file), await messagesOf(language, file)];
      assert.deepEqual([...other.keys()].toSorted(), [...english.keys()].toSorted(), file);
      for (const [name, value] of [...english, ...other]) assert.notEqual(value, '', `${file}: ${name}`);
    }
  });
}

/** Every text by its path; a function by what it takes. */
function leaves(messages: object, at = ''): Map<string, string> {
  return new Map(
    Object.entries(messages).flatMap(([name, value]: [string, unknown]) => {
      const place = at === '' ? name : `${at}.${name}`;
      if (typeof value === 'object' && value !== null) return [...leaves(value, place)];
      return [
        [place, typeof value === 'function' ? `${value.length} values` : String(value).trim()] as const,
      ];
    }),
  );
}
