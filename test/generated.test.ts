import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { generatedFiles } from './support/generated-files.ts';

const root = path.resolve(import.meta.dirname, '..');

test('the generated files in the repository are those that this code gives', async () => {
  for (const { path: file, text } of await generatedFiles()) {
    const kept = await readFile(path.join(root, file), 'utf8').catch(() => '');
    assert.ok(kept === text, `${file} is out of date: run npm run generate${firstDifference(kept, text)}`);
  }
});

function firstDifference(kept: string, wanted: string): string {
  const [before, after] = [kept.split('\n'), wanted.split('\n')];
  const line = after.findIndex((text, index) => text !== before[index]);
  const at = line === -1 ? after.length : line;
  return `\nline ${at + 1}, kept:   ${before[at] ?? '(nothing)'}\nline ${at + 1}, wanted: ${after[at] ?? '(nothing)'}`;
}
