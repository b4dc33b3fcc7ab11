import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engagement } from '../events/record-engagement.ts';
import { ClickBursts } from './click-bursts.ts';

/** Whether each click turned out to be a machine's. */
function judged(clicks: [at_ms: number, url: string, mail_id?: string][]): boolean[] {
  const bursts = new ClickBursts();
  const noted = clicks.map(([at, url, mail_id = 'a']) => {
    const click = { mail_id, url, is_machine: false } as Engagement;
    bursts.add(click, at);
    return click;
  });
  return noted.map(({ is_machine }) => is_machine);
}

test('three different links of one mail within a second are a machine, and so is the rest of that second', () => {
  assert.deepEqual(
    judged([
      [0, '1'],
      [300, '2'],
      [600, '3'],
      [900, '1'],
    ]),
    [true, true, true, true],
  );
});

test('one link again and again, and two links, are a person', () => {
  assert.deepEqual(
    judged([
      [0, '1'],
      [10, '1'],
      [20, '1'],
      [30, '2'],
      [40, '1'],
    ]),
    [false, false, false, false, false],
  );
});

test('links that are followed one after another are a person', () => {
  assert.deepEqual(
    judged([
      [0, '1'],
      [700, '2'],
      [1_400, '3'],
      [2_100, '4'],
    ]),
    [false, false, false, false],
  );
});

test('mails do not count for each other', () => {
  assert.deepEqual(
    judged([
      [0, '1', 'a'],
      [1, '2', 'b'],
      [2, '3', 'c'],
      [3, '4', 'a'],
    ]),
    [false, false, false, false],
  );
});
