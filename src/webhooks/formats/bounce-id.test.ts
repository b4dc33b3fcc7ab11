import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IdSequence } from '../../base/ids.ts';
import { bounceIdOf, eventRangeOf } from './bounce-id.ts';

test('an event is found by its integer, which JSON carries exactly', () => {
  const ids = new IdSequence();
  for (const at of ['2026-11-19T00:00:00.000Z', '2026-11-19T00:00:00.999Z', '2039-01-01T00:00:00.000Z']) {
    const event = ids.next(new Date(at));
    const id = bounceIdOf(event);
    assert.ok(Number.isSafeInteger(id), `${id}`);
    const [first = '', last = ''] = eventRangeOf(String(id)) ?? [];
    assert.ok(first <= event && event <= last, `${first} ${event} ${last}`);
  }
});

test('a value that is not a valid integer finds nothing', () => {
  for (const text of ['', 'x', '-1', '1.5', '9007199254740993', '1e3', '99999999999999999']) {
    assert.equal(eventRangeOf(text), undefined, text);
  }
});
