import assert from 'node:assert/strict';
import { errorCatalogue, type ErrorCode } from '../../src/base/errors/catalogue.ts';
import { problemTypes } from '../../src/base/errors/problem-types.ts';
import type { ApiResponse } from '../support/api.ts';
import type { RawAnswer } from './raw-http.fixture.ts';

/** Holds an answer to everything a problem document promises (contract §16). */
export function assertProblem(
  answer: RawAnswer | ApiResponse,
  code: ErrorCode,
  more: { detail?: RegExp } = {},
): void {
  const header = 'header' in answer ? answer.header : (name: string) => answer.headers.get(name) ?? undefined;
  const text = 'body' in answer ? answer.body : answer.text;
  const { json } = answer;
  assert.equal(json?.code, code, text.slice(0, 500));
  assertProblemShape({ status: answer.status, header, json });
  const { type } = errorCatalogue[code];
  assert.equal(answer.status, problemTypes[type].status);
  assert.equal(json.title, problemTypes[type].title);
  assert.ok(json.type.endsWith(`/docs/errors/${type}`), json.type);
  assert.match(json.detail, more.detail ?? /^[A-Z].+\.$/);
}

interface Shape {
  status: number;
  header: (name: string) => string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

/** What every problem has, whichever it is. */
export function assertProblemShape({ status, header, json }: Shape): void {
  assert.equal(header('content-type'), 'application/problem+json; charset=utf-8');
  assert.match(header('x-request-id') ?? '', /^[A-Za-z0-9._:-]{1,128}$/);
  assert.match(json.type, /^https?:\/\/[^/]+\/docs\/errors\/[a-z-]+$/);
  assert.equal(json.status, status);
  for (const member of ['title', 'detail', 'code']) assert.match(json[member], /./, member);
  assert.equal(json.request_id, header('x-request-id'));
  assert.match(json.trace_id, /^[0-9a-f]{32}$/);
  assert.equal(json.trace_id, header('x-trace-id'));
  assert.equal(Array.isArray(json.errors), status === 422, 'errors comes with 422 and with nothing else');
  for (const { pointer, code, message } of json.errors ?? []) {
    assert.match(pointer, /^(\/([^~/]|~[01])*)*$/u);
    assert.match(code, /^[a-z0-9_.]+$/);
    assert.match(message, /./);
  }
}

/** Pointer and code of every violation, in the order given. */
export function violations({ json }: { json: { errors?: { pointer: string; code: string }[] } }): string[] {
  return (json.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
}

/** An accident or a problem document: nothing else may come of bad input. */
export function assertCivil(answer: RawAnswer, label: string): void {
  const where = `${label} → ${answer.status} ${answer.body.slice(0, 300)}`;
  assert.ok(answer.status >= 200 && answer.status < 500, where);
  assert.doesNotMatch(answer.body, /node_modules|\.ts:\d+|^ {4}at /m, where);
  // 304: the caller said that it has the answer.
  if (answer.status < 300 || answer.status === 304) return;
  assert.ok(answer.status >= 400, where);
  try {
    assertProblemShape(answer);
  } catch (error) {
    throw new Error(where, { cause: error });
  }
}
