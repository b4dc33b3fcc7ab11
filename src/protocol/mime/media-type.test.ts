import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMediaType } from './media-type.ts';

const types = [
  'text/plain',
  'application/vnd.ms-excel.sheet+xml',
  'image/svg+xml',
  'X-a/b_c',
  `a/${'b'.repeat(127)}`,
];
for (const type of types) test(`${type} is a media type`, () => assert.ok(isMediaType(type)));

const others = [
  '',
  'text',
  'text/',
  '/plain',
  'text/plain/x',
  'text/plain; charset=utf-8',
  'text /plain',
  'téxt/plain',
];
for (const text of [...others, 'text/plain\n', 'text/pl\rain', 'a/(b)', 'a/"b"', `a/${'b'.repeat(128)}`]) {
  test(`${JSON.stringify(text)} is not a media type`, () => assert.ok(!isMediaType(text)));
}
