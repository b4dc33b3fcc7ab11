import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSchedule } from './schedule.ts';

const now = new Date('2026-12-01T12:00:00Z');
const read = (text: string, more = {}): string => {
  const { schedule_at, violations } = readSchedule(text, { now, retention_months: 3, ...more });
  return violations[0]?.code ?? schedule_at?.toISOString() ?? 'now';
};

const moments: [text: string, expected: string][] = [
  ['2026-12-01T12:00:01Z', '2026-12-01T12:00:01.000Z'],
  ['2026-12-02T09:00:00-03:00', '2026-12-02T12:00:00.000Z'],
  ['2026-12-02t09:00:00.5z', '2026-12-02T09:00:00.500Z'],
  ['2026-12-02T09:00:00.123456789+05:30', '2026-12-02T03:30:00.123Z'],
  ['2026-12-01T12:00:00Z', 'now'],
  ['1999-01-01T00:00:00Z', 'now'],
  ['2027-01-30T12:00:00Z', '2027-01-30T12:00:00.000Z'],
  ['2027-01-30T12:00:00.001Z', 'value_error.schedule_too_late'],
  ['9999-12-31T23:59:59Z', 'value_error.schedule_too_late'],
  ...[
    '',
    'tomorrow',
    '2026-12-02',
    '2026-12-02T09:00:00',
    '2026-12-02T09:00Z',
    '2026-12-02 09:00:00Z',
    '2026-12-02T25:00:00Z',
    '2026-12-02T09:60:00Z',
    '2026-12-02T23:59:60Z',
    '2026-12-02T09:00:00+0300',
    '2026-12-02T09:00:00+99:00',
    '2026-13-02T09:00:00Z',
    '2027-02-29T09:00:00Z',
    '2026-11-31T09:00:00Z',
    '+002026-12-02T09:00:00Z',
    '2026-12-02T09:00:00Z\n',
    '1764590400',
  ].map((text): [string, string] => [text, 'value_error.date_time']),
];
for (const [text, expected] of moments) {
  test(`${JSON.stringify(text)} is ${expected}`, () => assert.equal(read(text), expected));
}

test('a schedule stays within the retention, and within 60 days of the reception', () => {
  assert.equal(read('2027-01-01T12:00:00Z', { retention_months: 1 }), '2027-01-01T12:00:00.000Z');
  assert.equal(read('2027-01-01T12:00:01Z', { retention_months: 1 }), 'value_error.schedule_too_late');
  const received_at = new Date('2026-11-01T12:00:00Z');
  assert.equal(read('2026-12-31T12:00:00Z', { received_at }), '2026-12-31T12:00:00.000Z');
  assert.equal(read('2026-12-31T12:00:01Z', { received_at }), 'value_error.schedule_too_late');
});
