import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';

const { Coded } = await import('../src/parts/coded.tsx');
const { shares } = await import('../src/parts/app/format.ts');
const { inWords } = await import('../src/pages/operator/in-words.ts');
const { useFormat } = await import('../src/parts/app/format.ts');
const { render } = await import('./render.ts');

test('commands in sentences of the service are shown as code, without backticks', async () => {
  const page = await render(h(Coded, { children: 'Run `chasqui migrate`, then restart.' }));
  assert.equal(page.text(), 'Run chasqui migrate, then restart.');
  assert.equal(document.querySelector('code')?.textContent, 'chasqui migrate');
  await page.end();
});

test('a small share is never shown as nothing', () => {
  const percent = shares('en');
  assert.deepEqual([16 / 48_600, 1 / 48_600, 0, 0.5, 0.004, 0.083].map(percent), [
    '0.03%',
    '< 0.01%',
    '0%',
    '50%',
    '0.4%',
    '8.3%',
  ]);
  assert.match(shares('es')(16 / 48_600), /0,03/);
});

test('one is not written as several, and each language counts by its own rules', async () => {
  const [english, spanish, counting] = await Promise.all([
    import('../src/messages/en/queue.ts'),
    import('../src/messages/es/queue.ts'),
    import('../src/messages/counting.ts'),
  ]);
  assert.equal(english.messages.retried(1), '1 mail is due now.');
  assert.equal(english.messages.retried(4000), '4,000 mails are due now.');
  assert.equal(spanish.messages.retried(1), '1 correo se reintenta ahora.');
  assert.equal(spanish.messages.attempts(1_000_000), '1.000.000 intentos');
  const { counted } = counting.countingIn('pl');
  const forms = { one: 'list', few: 'listy', many: 'listów', other: 'listu' };
  assert.deepEqual(
    [1, 3, 5, 22].map((count) => counted(count, forms)),
    ['1 list', '3 listy', '5 listów', '22 listy'],
  );
});

test('the count of mails by status is in the language of the reader', async () => {
  const { messages } = await import('../src/messages/es/service-words.ts');
  const counts = '3 received + 0 queued + 2 sent + 0 dropped + 0 deferred + 1 bounced + 0 onhold';
  assert.match(
    inWords(`6 accepted = ${counts}`, messages.said),
    /^6 aceptados = 3 recibidos .* 0 retenidos$/,
  );
});

test('what is due is due now once its time has come, never some minutes ago', async () => {
  const Due = ({ minutes }: { minutes: number }) => useFormat().due(new Date(Date.now() + minutes * 60_000));
  for (const [minutes, said] of [
    [-5, 'now'],
    [5.1, 'in 5 min.'],
  ] as const) {
    const page = await render(h(Due, { minutes }));
    assert.equal(page.text(), said);
    await page.end();
  }
});
