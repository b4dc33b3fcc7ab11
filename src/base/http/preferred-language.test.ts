import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preferredLanguage } from './preferred-language.ts';

const headers: [string | undefined, 'en' | 'es'][] = [
  [undefined, 'en'],
  ['', 'en'],
  ['es', 'es'],
  ['es-CL,es;q=0.9,en;q=0.8', 'es'],
  ['EN-us, es;q=0.9', 'en'],
  ['en;q=0.3, es;q=0.4', 'es'],
  ['fr-FR, fr;q=0.9, es;q=0.2, en;q=0.1', 'es'],
  ['fr, de', 'en'],
  ['*', 'en'],
  ['es;q=0', 'en'],
  ['es;q=0, en;q=0', 'en'],
  ['en;q=0.5,es;q=0.5', 'en'],
  ['es;q=0.5,en;q=0.5', 'es'],
  ['est, eng', 'en'],
  ['es;q=high, en;q=0.1', 'en'],
  ['es;q=2, en;q=0.1', 'en'],
  [' es ; q=0.7 , en ; q=0.6 ', 'es'],
  [',;;,;q=1,', 'en'],
  ['x'.repeat(10_000), 'en'],
];
for (const [header, language] of headers) {
  test(`Accept-Language ${String(header).slice(0, 40)} gives ${language}`, () =>
    assert.equal(preferredLanguage(header), language));
}
