import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownTimezone, readDateRange } from './date-range.ts';

const defaults = { now: new Date('2026-05-15T01:00:00Z'), timezone: 'America/Santiago', months: 3 };
const hours = ({ from, until }: { from: Date; until: Date }): number =>
  (until.getTime() - from.getTime()) / 3_600_000;

function day(date: string, tz?: string) {
  return readDateRange({ start_date: date, end_date: date, ...(tz ? { tz } : {}) }, defaults);
}

test('a day lasts from its midnight to the next, the last day included', () => {
  const { from, until, timezone } = day('2026-06-10');
  assert.equal(timezone, 'America/Santiago');
  assert.equal(from.toISOString(), '2026-06-10T04:00:00.000Z');
  assert.equal(until.toISOString(), '2026-06-11T04:00:00.000Z');
});

test('the day on which Santiago sets its clocks back has 25 hours', () => {
  // 2026-04-05 00:00 becomes 2026-04-04 23:00: the Saturday has the hour twice.
  const range = day('2026-04-04');
  assert.equal(hours(range), 25);
  assert.equal(range.from.toISOString(), '2026-04-04T03:00:00.000Z');
  assert.equal(range.until.toISOString(), '2026-04-05T04:00:00.000Z');
});

test('the day on which Santiago sets its clocks forward has 23 hours and begins at one, for it has no midnight', () => {
  // 2026-09-06 00:00 does not exist: the clocks go from 23:59:59 to 01:00.
  const range = day('2026-09-06');
  assert.equal(hours(range), 23);
  assert.equal(range.from.toISOString(), '2026-09-06T04:00:00.000Z');
  assert.equal(range.until.toISOString(), '2026-09-07T03:00:00.000Z');
  const eve = day('2026-09-05');
  assert.equal(hours(eve), 24);
  assert.equal(eve.until.toISOString(), range.from.toISOString());
});

test('days follow each other without gap or overlap through a whole year', () => {
  let last = day('2026-01-01').from;
  for (let date = new Date('2026-01-01T12:00:00Z'); date.getUTCFullYear() === 2026;) {
    const range = day(date.toISOString().slice(0, 10));
    assert.equal(range.from.getTime(), last.getTime(), date.toISOString());
    last = range.until;
    date = new Date(date.getTime() + 86_400_000);
  }
});

test('a zone in the request wins over that of the instance, and an unknown zone is ignored', () => {
  assert.equal(day('2026-06-10', 'Asia/Tokyo').from.toISOString(), '2026-06-09T15:00:00.000Z');
  for (const tz of ['Nowhere/Atall', '+03:00', '-04', '', ' ', 'constructor', 'a'.repeat(500)]) {
    assert.equal(readDateRange({ tz }, defaults).timezone, 'America/Santiago', tz);
  }
  assert.equal(readDateRange({ tz: 'no' }, { ...defaults, timezone: 'neither' }).timezone, 'UTC');
  assert.equal(knownTimezone('america/santiago'), 'America/Santiago');
});

test('without dates it is the last months up to the end of today, as today is in the zone', () => {
  // 01:00 UTC is still the day before in Santiago.
  const { from, until } = readDateRange({}, defaults);
  assert.equal(from.toISOString(), '2026-02-14T03:00:00.000Z');
  assert.equal(until.toISOString(), '2026-05-15T04:00:00.000Z');
  const nullIsNothing = readDateRange({ start_date: null, end_date: null, tz: null }, defaults);
  assert.deepEqual(nullIsNothing, { from, until, timezone: 'America/Santiago' });
});

test('a single date is completed: months back from an end, up to today from a start', () => {
  const before = readDateRange({ end_date: '2026-05-31', tz: 'UTC' }, defaults);
  assert.equal(before.from.toISOString(), '2026-02-28T00:00:00.000Z');
  assert.equal(before.until.toISOString(), '2026-06-01T00:00:00.000Z');
  const since = readDateRange({ start_date: '2026-05-15', tz: 'UTC' }, defaults);
  assert.equal(since.until.toISOString(), '2026-05-16T00:00:00.000Z');
});

test('a start in the future is allowed, one after the given end is an error', () => {
  const future = readDateRange({ start_date: '2026-07-01', tz: 'UTC' }, defaults);
  assert.equal(future.from.toISOString(), '2026-07-01T00:00:00.000Z');
  assert.equal(future.until.toISOString(), '2026-07-02T00:00:00.000Z');
  const query = { start_date: '2026-07-01', end_date: '2026-05-15' };
  assert.throws(() => readDateRange(query, defaults), { code: 'bad_request' });
});

test('an invalid date is a 400 that names the parameter', () => {
  const wrong = [
    '2026-02-30',
    '2026-13-01',
    '2026-2-3',
    '20260203',
    '2026-02-03T00:00:00Z',
    'today',
    '',
    ' ',
  ];
  for (const name of ['start_date', 'end_date']) {
    for (const text of [...wrong, '-000001-01-01', '٢٠٢٦-٠١-٠١']) {
      const expected = { code: 'bad_request', message: `${name} must be a date of the form YYYY-MM-DD.` };
      assert.throws(() => readDateRange({ [name]: text }, defaults), expected, text);
    }
  }
  assert.equal(hours(day('2028-02-29')), 24);
});

test('a start after the end is a 400, a start on the end is a day', () => {
  const query = { start_date: '2026-05-02', end_date: '2026-05-01' };
  assert.throws(() => readDateRange(query, defaults), { code: 'bad_request' });
  assert.equal(hours(day('2026-05-01')), 24);
});

test('the first and the last year that can be written do no harm', () => {
  for (const date of ['0000-01-01', '0001-01-01', '9999-12-31']) {
    assert.ok(Number.isFinite(day(date).until.getTime()), date);
  }
});
