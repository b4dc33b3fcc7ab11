import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from './log.ts';
import { prettyLine } from './pretty-log.ts';

function written(log: (logger: ReturnType<typeof createLog>) => void, colours = false): string {
  let line = '';
  log(createLog('trace', { write: (text) => void (line += text) }));
  return prettyLine(line, { colours });
}

test('a line for people has the time of the machine, the level, the message and the fields', () => {
  const text = written((log) =>
    log.info({ operation: 'send_mail', status: 200, note: 'two words' }, 'request'),
  );
  assert.match(
    text,
    /^\d\d:\d\d:\d\d\.\d{3} INFO  request operation=send_mail status=200 note="two words"\n$/,
  );
});

test('an error has its stack below the line', () => {
  const text = written((log) => log.error({ err: new Error('lost') }, 'a connection was lost'));
  assert.match(text, /ERROR a connection was lost\n {4}Error: lost\n {4}at /);
});

test('colours are there only when asked for', () => {
  const warn = (log: ReturnType<typeof createLog>): void => log.warn('careful');
  assert.ok(written(warn, true).includes('\u001B[33mWARN \u001B[0m'));
  assert.ok(!written(warn).includes('\u001B'));
});

test('the reply of a remote server cannot control the terminal', () => {
  const said = '550 \u001B[2J\u009B31m\u202Egone\r\nINFO all is well';
  const text = written((log) => log.error({ said, err: new Error(said) }, said));
  for (const character of ['\u001B', '\u009B', '\u202E', '\r']) assert.ok(!text.includes(character));
  assert.equal(text.split('\n')[0]?.includes('\\u001b[2J'), true);
});
