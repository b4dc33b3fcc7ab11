import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { messages as english } from '../../panel/src/messages/en/service-words.ts';
import { messages as spanish } from '../../panel/src/messages/es/service-words.ts';
import { inWords } from '../../panel/src/pages/operator/in-words.ts';
import { readConfig } from '../../src/base/config.ts';
import { allChecks } from '../../src/main/checks.ts';
import { jobSchedules } from '../../src/main/jobs.ts';

const source = path.resolve(import.meta.dirname, '../../src');

/** What the service can say, with `{}` for each value, and lines that were broken joined again. */
function textOfService(): string {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(name),
  );
  assert.ok(files.length > 500, `${files.length} files`);
  return files
    .map((name) => readFileSync(path.join(source, name), 'utf8'))
    .join('\n')
    .replaceAll(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, '{}');
}

test('every job and every check has a name in both languages', () => {
  // Nothing is looked at before a check is run.
  const checks = allChecks({ db: undefined, config: readConfig({}), store: undefined } as never);
  for (const { jobs, checks: names } of [english, spanish]) {
    assert.deepEqual(
      jobSchedules.map(({ name }) => name).filter((name) => !(name in jobs)),
      [],
    );
    assert.deepEqual(
      checks.map(({ name }) => name).filter((name) => !(name in names)),
      [],
    );
  }
});

test('what is translated is what the service says', () => {
  const text = textOfService();
  // Made of several texts.
  const joined = [
    'external PostgreSQL, version {}',
    'embedded PostgreSQL in {}, version {}',
    '{} accepted = {} received + {} queued + {} sent + {} dropped + {} deferred + {} bounced + {} onhold',
    'no month dropped',
  ];
  const unknown = Object.keys(english.said).filter((sentence) => !text.includes(sentence));
  assert.deepEqual(unknown, joined);
});

test('a translation has the values of its sentence', () => {
  for (const [sentence, translation] of Object.entries(spanish.said)) {
    assert.equal(translation.split('{}').length, sentence.split('{}').length, sentence);
    assert.notEqual(translation, sentence);
  }
});

test('values keep their order, and sentences that are joined are translated one by one', () => {
  const say = (text: string): string => inWords(text, spanish.said);
  assert.equal(say('23 jobs, all of them on time'), 'tareas: 23, todas a tiempo');
  assert.equal(
    say('a1 0.2.0 (api,web) seen 2 s ago; b2 0.2.0 (jobs) seen 3 s ago'),
    'a1 0.2.0 (api,web), visto hace 2 s; b2 0.2.0 (jobs), visto hace 3 s',
  );
  assert.equal(say('0 erasures done, 2 under way'), 'supresiones terminadas: 0, en curso: 2');
  assert.equal(say('no month dropped'), 'ningún mes borrado');
  assert.equal(
    say('https://a.example; no real domain sends yet'),
    'https://a.example; aún no envía ningún dominio real',
  );
});

test('what is not known stays as it came', () => {
  for (const text of ['', 'jobs', ' alerts', 'Something new: 5', '{}'.repeat(2_000)]) {
    assert.equal(inWords(text, spanish.said), text);
  }
});
