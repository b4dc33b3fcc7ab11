import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCapabilities } from './capabilities.ts';

const read = (...lines: string[]) =>
  readCapabilities({ code: 250, lines: ['mx.test greets client.test', ...lines] });

test('extensions are known by their keyword in whatever case', () => {
  const capabilities = read('pipelining', '8BITMIME', 'AUTH=LOGIN', 'SIZE 1000 ', 'not an extension!', '');
  for (const keyword of ['PIPELINING', '8BITMIME', 'AUTH', 'SIZE'])
    assert.ok(capabilities.offers(keyword), keyword);
  assert.ok(!capabilities.offers('SMTPUTF8'));
  assert.deepEqual(capabilities.lines.slice(0, 4), ['PIPELINING', '8BITMIME', 'AUTH LOGIN', 'SIZE 1000']);
});

test('the first line is not an extension', () => {
  assert.ok(!readCapabilities({ code: 250, lines: ['PIPELINING'] }).offers('PIPELINING'));
});

test('a size limit is a number above zero', () => {
  assert.equal(read('SIZE 35882577').size_limit, 35_882_577);
  for (const line of ['SIZE', 'SIZE 0', 'SIZE many', 'SIZE -1', 'SIZE 1.5', 'HELP']) {
    assert.equal(read(line).size_limit, undefined, line);
  }
});
