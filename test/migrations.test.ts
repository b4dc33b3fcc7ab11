import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { checksumsFile, expectedLines, linesOf } from './support/migration-checksums.ts';

const root = path.resolve(import.meta.dirname, '..');
const advice =
  'A migration that landed is never changed, renamed or removed: databases have run it. Add a new one, then npm run generate.';

async function keptLines(): Promise<string[]> {
  return linesOf(await readFile(path.join(root, checksumsFile), 'utf8')).toSorted();
}

test('every migration is as it was when it landed', async () => {
  const expected = (await expectedLines()).toSorted();
  assert.ok(expected.length >= 30);
  assert.deepEqual(await keptLines(), expected, advice);
});

/** One word for each; empty where there is no repository, as in an unpacked release. */
function git(...words: string[]): string[] {
  try {
    return execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
      .trim()
      .split('\n')
      .filter(Boolean);
  } catch {
    return [];
  }
}

const commits = git('log', '--first-parent', '--format=%H', '--', checksumsFile);
const skip = commits.length === 0 && 'there is no history to compare with';
test('no line of the checksums was changed or removed since it landed', { skip }, async () => {
  const kept = new Set(await keptLines());
  for (const commit of commits) {
    const lost = git('show', `${commit}:${checksumsFile}`).filter((line) => !kept.has(line));
    assert.deepEqual(lost, [], `${advice} See commit ${commit}.`);
  }
});
