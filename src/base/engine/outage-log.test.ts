import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../log.ts';
import { createOutageLog } from './outage-log.ts';

test('an outage is a line at its beginning, one every ten seconds and one at its end; so is the next', (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const lines: string[] = [];
  const outage = createOutageLog(createLog('info', { write: (line) => void lines.push(line) }), 'the work');
  for (let round = 1; round <= 2; round += 1) {
    outage.worked();
    assert.equal(lines.length, 0, 'what works is not told');
    for (let second = 0; second <= 20; second += 1) {
      outage.failed(new Error('no database'));
      now += 1_000;
    }
    outage.worked();
    outage.worked();
    const entries = lines.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      entries.map(({ msg, failures, seconds }) => [msg, failures, seconds]),
      [
        ['the work failed and is retried', 1, undefined],
        ['the work failed and is retried', 11, undefined],
        ['the work failed and is retried', 21, undefined],
        ['the work works again', 21, 21],
      ],
    );
  }
});
