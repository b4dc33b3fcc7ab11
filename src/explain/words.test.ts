import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { languages } from '../base/http/preferred-language.ts';
import { reasons } from '../events/index.ts';
import { causeCodes, causeOfReason, causes, sides } from './causes.ts';
import { noteIds } from './provider-notes.ts';
import { vocabularies } from './words/vocabulary.ts';
import type { Shown } from './words/words.ts';

const full: Shown = {
  recipient: 'ana@example.com',
  destination: 'example.com',
  sender: 'hi@shop.example',
  domain: 'shop.example',
  host: 'mx.example.com',
  next: '2026-12-01 14:05 (UTC)',
  sent_at: '2026-12-01 14:00 (UTC)',
  opens: 2,
  clicks: 1,
  tracks_opens: true,
  paused_at: '2026-12-01 13:00 (UTC)',
  records: ['Publish something.'],
  is_revoked: false,
  restriction: { reason: 'hard_bounce', at: '2026-11-01 10:00 (UTC)' },
  blocked_since: '2026-12-01 12:00 (UTC)',
  unsubscribed_at: '2026-11-01 10:00 (UTC)',
  consent: { verdict: 'deny', purpose: 'News', term: 'Terms', at: '2026-11-01 10:00 (UTC)' },
  complaint: 'spam',
  attachment_limit: '1048576 bytes',
  taken_last_hour: 40,
  warm_up_cap: 50,
};
/** How things may stand otherwise. */
const cases: Shown[] = [
  full,
  {
    ...full,
    next: null,
    records: [],
    tracks_opens: false,
    restriction: null,
    unsubscribed_at: null,
    warm_up_cap: null,
    consent: { verdict: 'allow', purpose: 'News', term: 'Terms', at: '2026-11-01 10:00 (UTC)' },
  },
  { ...full, is_revoked: true, restriction: { reason: 'complaint', at: '2026-11-01 10:00 (UTC)' } },
  {
    ...full,
    restriction: { reason: 'manual', at: '2026-11-01 10:00 (UTC)' },
    consent: { verdict: 'none', purpose: 'News', term: null, at: null },
  },
];

test('every reason that a log can have leads to a cause', () => {
  assert.ok(reasons.length > 60, `${reasons.length} reasons`);
  for (const reason of reasons) assert.ok(Object.hasOwn(causes, causeOfReason(reason)), reason);
});

for (const language of languages) {
  test(`every cause has its words, whatever stands (${language})`, () => {
    const words = vocabularies[language].causes;
    assert.deepEqual(Object.keys(words).toSorted(), causeCodes.toSorted());
    for (const code of causeCodes) {
      const { title, text, advice } = words[code];
      for (const shown of cases) {
        const explained = typeof text === 'string' ? text : text(shown);
        const acts = typeof advice === 'function' ? advice(shown) : advice;
        for (const sentence of [title, explained, ...acts]) {
          assert.ok(sentence.length > 3, `${code}: ${sentence}`);
          assert.doesNotMatch(sentence, /undefined|null|NaN|\[object/, code);
        }
        assert.match(explained, /[.)]$/, code);
        assert.ok(acts.length > 0 || code === 'opened' || code === 'clicked', `${code} says what to do`);
      }
    }
  });

  test(`every note on a provider has its words (${language})`, () => {
    const { notes } = vocabularies[language];
    assert.deepEqual(Object.keys(notes).toSorted(), noteIds.toSorted());
  });
}

test('the two languages say it in their own words', () => {
  const { en, es } = vocabularies;
  for (const code of causeCodes) assert.notEqual(en.causes[code].title, es.causes[code].title, code);
  for (const id of noteIds) assert.notEqual(en.notes[id].meaning, es.notes[id].meaning, id);
});

test('every side has causes', () => {
  assert.deepEqual(
    sides.filter((side) => !Object.values<string>(causes).includes(side)),
    [],
  );
});

test('docs/explanations.md lists every cause with its side, its reasons and its words', () => {
  const file = path.resolve(import.meta.dirname, '../../docs/explanations.md');
  const kept = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const rows = causeCodes.map((code) => {
    const meant = reasons.filter((reason) => causeOfReason(reason) === code);
    const logged = [...new Set(meant)].map((reason) => `\`${reason}\``).join(', ');
    return `| \`${code}\` | ${causes[code]} | ${logged} | ${vocabularies.en.causes[code].title} |`;
  });
  assert.deepEqual(kept, rows);
});
