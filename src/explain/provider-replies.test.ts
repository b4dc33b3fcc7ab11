import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classify, type ReplyOutcome } from '../protocol/classify/classify.ts';
import { providerReplies } from '../protocol/classify/provider-replies.fixture.ts';
import { causes } from './causes.ts';
import { expectedExplanations } from './expected-explanations.fixture.ts';
import { findNote, noteIds } from './provider-notes.ts';
import { causeOfReply } from './refine-cause.ts';

const refusals = providerReplies.filter(({ expected }) => expected !== 'sent');
const wholeOf = ({ code, enhanced, text }: ReplyOutcome): string =>
  [code, enhanced, text].filter(Boolean).join(' ');

for (const { provider, outcome } of refusals) {
  const response = wholeOf(outcome);
  test(`${provider} at ${outcome.phase}: ${response.slice(0, 70)}`, () => {
    const rows = expectedExplanations.filter(
      (row) => row.provider === provider && row.phase === outcome.phase && response.startsWith(row.begins),
    );
    assert.equal(rows.length, 1, 'one row says how it is explained');
    // As the log has it, whether the reply came in time or made the mail expire.
    for (const last_attempt of [false, true]) {
      const verdict = classify(outcome, { last_attempt });
      assert.ok(verdict.verdict !== 'sent');
      const { code: smtp_code, enhanced: enhanced_code } = outcome;
      const code = causeOfReply(verdict.reason, { smtp_code, enhanced_code, response });
      const note = findNote(response);
      assert.equal([code, causes[code], note].filter(Boolean).join(' '), rows[0]?.expected);
    }
  });
}

test('every expectation is about one reply', () => {
  assert.ok(refusals.length >= 140, `${refusals.length} replies`);
  assert.equal(expectedExplanations.length, refusals.length);
});

test('every note is met by a reply', () => {
  const met = new Set(refusals.map(({ outcome }) => findNote(wholeOf(outcome))));
  assert.deepEqual(
    noteIds.filter((id) => !met.has(id)),
    [],
  );
});

test('a reply made to be slow to read is read at once', () => {
  const began = process.cpuUsage();
  for (const word of ['4.7.28 ', 'violates ', 'reputation of the sending domain ', 'ofr1_', '(']) {
    const response = word.repeat(50_000);
    findNote(response);
    causeOfReply('not_authenticated', { smtp_code: 550, enhanced_code: null, response });
  }
  assert.ok(process.cpuUsage(began).user < 500_000);
});
