import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRetryHint } from './retry-hint.ts';

const cases: [text: string, seconds: number | undefined][] = [
  ['try again in 300 seconds', 300],
  ['Greylisted for 5 minutes', 300],
  ['retry after 00:05:00', 300],
  ['please come back in 01:30:05', 5405],
  ['Greylisted, please try again in 4 minutes 30 seconds', 270],
  ['try again in 2m30s', 150],
  ['Please wait 90 sec and retry', 90],
  ['You have been greylisted; wait 10min', 600],
  ['retry in 1 hour', 3600],
  ['deferred, try again after 2h', 7200],
  ['intente nuevamente en 10 minutos', 600],
  ['bitte erneut in 5 Minuten versuchen', 300],
  ['temporarily deferred for 45s', 45],
  ['try again in 0 seconds', 1],
  ['try again in 3 days, or 999999 seconds', undefined],
  ['try again in 999999 seconds', 14_400],
  ['retry after 99:00:00', 14_400],
  ['try again later', undefined],
  ['limit is 100 messages per 60 minutes', undefined],
  ['4.7.1 retry 192.0.2.25 not allowed', undefined],
  ['wait, error 451', undefined],
  ['', undefined],
];

for (const [text, seconds] of cases) {
  test(`"${text}" asks to wait ${seconds === undefined ? 'for no given time' : `${seconds} s`}`, () => {
    assert.equal(findRetryHint(text), seconds);
  });
}
