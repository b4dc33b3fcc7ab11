import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../errors/problem.ts';
import { createLog } from '../log.ts';
import { logFailure } from './failure-log.ts';

test('an outage of the database is logged once in ten seconds with the number of requests, other errors each time', (t) => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  let now = 1_000_000;
  t.mock.method(performance, 'now', () => now);
  const request = { id: 'r1', trace_id: 't1' } as FastifyRequest;
  const fail = (code: 'service_unavailable' | 'internal_error'): void =>
    logFailure(log, { error: new Error('gone'), problem: new Problem(code), request });
  for (let count = 0; count < 50; count += 1) fail('service_unavailable');
  now += 9_999;
  fail('service_unavailable');
  fail('internal_error');
  fail('internal_error');
  now += 1;
  fail('service_unavailable');
  assert.deepEqual(
    lines.map(({ msg, requests, request_id }) => [msg, requests, request_id]),
    [
      ['the store is out of reach', 1, 'r1'],
      ['unexpected error', undefined, 'r1'],
      ['unexpected error', undefined, 'r1'],
      ['the store is out of reach', 51, 'r1'],
    ],
  );
  logFailure(log, {
    error: new Problem('service_unavailable'),
    problem: new Problem('service_unavailable'),
    request,
  });
  assert.equal(lines.length, 4, 'a refusal of a room is not an outage');
});
