import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareTexts, type ComparedLine, type Piece } from '../../panel/src/parts/text-diff.ts';

const textOf = (pieces: Piece[] | undefined): string => (pieces ?? []).map(({ text }) => text).join('');
const side = (lines: ComparedLine[], name: 'before' | 'after'): string =>
  lines
    .filter((line) => line[name] !== undefined)
    .map((line) => textOf(line[name]))
    .join('\n');
const marked = (pieces: Piece[] | undefined): string =>
  (pieces ?? []).map(({ kind, text }) => (kind === 'same' ? text : `[${text}]`)).join('');

test('words that changed within a line are marked on both sides, lines that did not are the same', () => {
  const lines = compareTexts(
    'I agree to get the newsletter.\nYou can withdraw by mail.',
    'I agree to get the weekly newsletter.\nYou can withdraw by mail.',
  );
  assert.deepEqual(
    lines.map(({ is_same }) => is_same),
    [false, true],
  );
  assert.equal(marked(lines[0]?.before), 'I agree to get the newsletter.');
  assert.equal(marked(lines[0]?.after), 'I agree to get the [weekly ]newsletter.');
});

test('a line that only one side has gets a row of its own', () => {
  const [, added, last] = compareTexts('one\nthree', 'one\ntwo\nthree');
  assert.deepEqual([added?.before, marked(added?.after), added?.is_same], [undefined, '[two]', false]);
  assert.equal(last?.is_same, true);
  const [, removed] = compareTexts('one\ntwo', 'one');
  assert.deepEqual([marked(removed?.before), removed?.after], ['[two]', undefined]);
});

test('both sides give their text back whole, whatever they are, with as few edits as can be', () => {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const some = (): string => Array.from({ length: random(12) }, () => 'abc'[random(3)]).join('\n');
  for (let round = 0; round < 500; round += 1) {
    const [before, after] = [some(), some()];
    const lines = compareTexts(before, after);
    assert.equal(side(lines, 'before'), before);
    assert.equal(side(lines, 'after'), after);
    const same = lines.filter(({ is_same }) => is_same).length;
    assert.equal(same, longestCommon(before.split('\n'), after.split('\n')), `${before} / ${after}`);
  }
});

test('texts that have nothing in common are compared in bounded time', () => {
  const text = (word: string): string => Array.from({ length: 20_000 }, (_, n) => `${word}${n}`).join('\n');
  const started = performance.now();
  const lines = compareTexts(text('a'), text('b'));
  assert.equal(lines.length, 20_000);
  assert.ok(performance.now() - started < 60_000);
});

function longestCommon(a: string[], b: string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const each of a) {
    const next = [0];
    for (const [n, other] of b.entries()) {
      next.push(each === other ? (row[n] ?? 0) + 1 : Math.max(row[n + 1] ?? 0, next[n] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
