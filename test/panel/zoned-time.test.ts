import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentOf, wallTime } from '../../panel/src/parts/zoned-time.ts';

test('a wall clock of a zone is the moment at which it shows that', () => {
  assert.equal(momentOf('2026-07-01T09:30', 'America/Santiago'), '2026-07-01T13:30:00.000Z');
  assert.equal(momentOf('2026-12-01T09:30', 'America/Santiago'), '2026-12-01T12:30:00.000Z');
  assert.equal(momentOf('2026-12-01T00:10', 'Asia/Kathmandu'), '2026-11-30T18:25:00.000Z');
});

test('around a change of the clocks too', () => {
  // On 29 March 2026 Berlin goes from +01:00 to +02:00 at 01:00 UTC.
  assert.equal(momentOf('2026-03-29T01:30', 'Europe/Berlin'), '2026-03-29T00:30:00.000Z');
  assert.equal(momentOf('2026-03-29T03:30', 'Europe/Berlin'), '2026-03-29T01:30:00.000Z');
});

test('a moment and its wall clock lead to each other', () => {
  const at = new Date('2026-11-16T03:07:00.000Z');
  assert.equal(wallTime(at, 'America/Santiago'), '2026-11-16T00:07');
  assert.equal(momentOf(wallTime(at, 'America/Santiago'), 'America/Santiago'), at.toISOString());
});

test('a malformed time stays as it is, for the service to refuse', () => {
  assert.equal(momentOf('', 'America/Santiago'), '');
});
