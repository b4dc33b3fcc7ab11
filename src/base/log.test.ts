import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog, type Log } from './log.ts';

function logTo(level = 'info'): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { log: createLog(level, { write }), lines };
}

test('a line is one JSON object with its level in words and its time in ISO 8601', () => {
  const { log, lines } = logTo();
  log.info({ instance: 'acme', status: 200 }, 'request');
  const [{ time, ...rest } = {}] = lines;
  assert.deepEqual(rest, { level: 'info', instance: 'acme', status: 200, msg: 'request' });
  assert.equal(new Date(String(time)).toISOString(), time);
});

test('lines below the level are not written', () => {
  const { log, lines } = logTo('warn');
  log.info('no');
  log.warn('yes');
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['yes'],
  );
});

test('secrets are hidden by their names, at the top and one level down, and the caller’s object stays as it was', () => {
  const { log, lines } = logTo();
  const fields = {
    password: 'hush',
    token: null,
    kept: 1,
    request: { authorization: 'Bearer hush', method: 'GET' },
    key: { api_key: 'hush' },
    list: ['a'],
    nothing: null,
  };
  const before = structuredClone(fields);
  log.info(fields, 'x');
  const { level: _level, time: _time, msg: _msg, ...written } = lines[0] ?? {};
  assert.deepEqual(written, {
    password: '[redacted]',
    token: '[redacted]',
    kept: 1,
    request: { authorization: '[redacted]', method: 'GET' },
    key: { api_key: '[redacted]' },
    list: ['a'],
    nothing: null,
  });
  assert.deepEqual(fields, before);
});

test('an error is written with its stack and cause, without the secrets it carries', () => {
  const { log, lines } = logTo();
  const error = Object.assign(new Error('lost', { cause: new Error('reset') }), {
    code: '08006',
    password: 'hush',
  });
  log.warn({ err: error }, 'x');
  const { type, message, stack, code, password } = (lines[0]?.['err'] ?? {}) as Record<string, unknown>;
  assert.deepEqual(
    { type, message, code, password },
    {
      type: 'Error',
      message: 'lost: reset',
      code: '08006',
      password: '[redacted]',
    },
  );
  assert.match(String(stack), /Error: lost\n.*caused by: Error: reset/s);
});

test('an error is logged with stack and code, without its other members', () => {
  const cause = new Error('the socket ended');
  const error = Object.assign(new Error('lost', { cause }), { code: '57P01', client: { secretKey: 4711 } });
  const { log, lines } = logTo();
  log.error({ err: error }, 'a connection was lost');
  const [line] = lines;
  const { err } = line as { err: Record<string, unknown> };
  assert.equal(err['code'], '57P01');
  assert.match(String(err['stack']), /lost[\s\S]*the socket ended/);
  assert.doesNotMatch(JSON.stringify(line), /4711/);
});
