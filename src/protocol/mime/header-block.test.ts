import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLinear } from './growth.fixture.ts';
import { endOfHeader, readHeaderBlock, removeFields, rewriteFields } from './header-block.ts';

const read = (text: string) => readHeaderBlock(Buffer.from(text));

test('fields are read with their places, folded and outside ASCII too', () => {
  const text = 'Subject: señal\r\nTO :a@b.test,\r\n\t c@d.test \r\nX-Empty:\r\n\r\nBody: no field\r\n';
  const message = Buffer.from(text);
  const header = readHeaderBlock(message);
  assert.deepEqual(
    header?.fields.map(({ name, value }) => [name, value]),
    [
      ['subject', 'señal'],
      ['to', 'a@b.test,\t c@d.test'],
      ['x-empty', ''],
    ],
  );
  assert.deepEqual(
    header?.fields.map(({ start, end }) => message.toString('utf8', start, end)),
    ['Subject: señal\r\n', 'TO :a@b.test,\r\n\t c@d.test \r\n', 'X-Empty:\r\n'],
  );
  assert.equal(message.toString('utf8', header?.body_start), 'Body: no field\r\n');
});

test('a message may be all body or all header', () => {
  assert.deepEqual(read('\r\nA: b\r\n'), { fields: [], body_start: 2 });
  assert.deepEqual(read(''), { fields: [], body_start: 0 });
  assert.deepEqual(read('A: b'), { fields: [{ name: 'a', value: 'b', start: 0, end: 4 }], body_start: 4 });
});

test('a line that is neither a field nor the continuation of one makes it no header', () => {
  for (const line of ['no field', ' folded: first', 'with blank: inside a name', ': x', 'ñ: x', '\nb: c']) {
    assert.equal(read(`${line}\r\nA: b\r\n\r\n`), undefined, line);
  }
});

test('fields are taken out whole, and every other octet stays', () => {
  const message = Buffer.from('A: \xff\r\nBcc: x,\r\n y\r\nB: 2\r\nBcc: z\r\n\r\nBcc: body\r\n', 'latin1');
  const header = readHeaderBlock(message);
  assert.ok(header);
  const rest = removeFields(message, header, ({ name }) => name === 'bcc');
  assert.equal(rest.toString('latin1'), 'A: \xff\r\nB: 2\r\n\r\nBcc: body\r\n');
  assert.equal(
    removeFields(message, header, () => false),
    message,
  );
});

test('fields are written anew in their place', () => {
  const message = Buffer.from('A: 1\r\nFrom: x,\r\n y\r\nB: 2\r\n\r\nFrom: body\r\n');
  const header = readHeaderBlock(message);
  assert.ok(header);
  const written = rewriteFields(message, header, ({ name }) =>
    name === 'from' ? 'From: ñ\r\n' : name === 'b' ? '' : undefined,
  );
  assert.equal(written.toString(), 'A: 1\r\nFrom: ñ\r\n\r\nFrom: body\r\n');
  assert.equal(
    rewriteFields(message, header, ({ name }) => (name === 'b' ? 'B: 2\r\n' : undefined)),
    message,
  );
});

test('a header ends at the first blank line', () => {
  const end = (text: string) => endOfHeader(Buffer.from(text));
  assert.deepEqual([end('A: 1\r\n\r\nb'), end('\r\nb'), end('A: 1'), end('')], [6, 0, 4, 0]);
});

test('a header of any kind is read in time that grows with it', () => {
  const pieces = [
    'a:\r\n',
    'a: b\r\n',
    '\r\n ',
    ' ',
    '\r',
    '\n',
    'a',
    ':',
    'é: x\r\n',
    'a \t',
    'x: y\r\n\tz\r\n',
  ];
  assertLinear(read, { pieces, seed: 29, around: [['A: b', '']], octets: 500_000, ns_per_octet: 300 });
});
