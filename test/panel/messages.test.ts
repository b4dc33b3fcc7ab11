import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const folder = path.resolve(import.meta.dirname, '../../panel/src/messages');

/** What a page says of one of each: every sentence in which a number is put. */
function* sentences(name: string, value: unknown): Generator<[string, string[]]> {
  if (typeof value === 'function') {
    const say = value as (...given: unknown[]) => unknown;
    // Some take a number, others the number as it is written.
    yield [name, [1, '1'].map((one) => String(say(...Array<unknown>(6).fill(one))))];
  } else if (typeof value === 'object' && value !== null) {
    for (const [member, each] of Object.entries(value)) yield* sentences(`${name}.${member}`, each);
  }
}

/** Words after a name or a singular. */
const others = /^(?:is|has|was|es|mes|más|después|goes|stays|receives|seems|loses|address|less|menos)$/i;

const isPlural = (text: string): boolean =>
  [...text.matchAll(/\b1 (\p{L}+s)\b/gu)].some(([, word = '']) => !others.test(word));

for (const language of ['en', 'es']) {
  test(`no page says 1 of several, ${language}`, async () => {
    const wrong: string[] = [];
    let read = 0;
    for (const file of readdirSync(path.join(folder, language)).filter((each) => each !== 'index.ts')) {
      const { messages } = (await import(path.join(folder, language, file))) as { messages: object };
      for (const [name, texts] of sentences(file.replace('.ts', ''), messages)) {
        read += 1;
        if (texts.every(isPlural)) wrong.push(`${name}: ${texts[0]}`);
      }
    }
    assert.ok(read > 100, `${read} sentences`);
    assert.deepEqual(wrong, []);
  });
}

test('a secret and a command break their lines: nothing of what is copied is cut', () => {
  const css = readFileSync(path.resolve(folder, '../parts/parts.module.css'), 'utf8');
  const rule = /\.block pre \{([^}]*)\}/.exec(css)?.[1] ?? '';
  assert.match(rule, /white-space: pre-wrap/);
  assert.match(rule, /overflow-wrap: anywhere/);
});
