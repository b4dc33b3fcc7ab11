import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatReply } from './reply.ts';

test('a reply has its status on every line', () => {
  assert.equal(formatReply({ code: 250, enhanced: '2.1.0', text: 'fine' }), '250 2.1.0 fine\r\n');
  assert.equal(
    formatReply({ code: 550, enhanced: '5.7.1', text: ['no', 'never'] }),
    '550-5.7.1 no\r\n550 5.7.1 never\r\n',
  );
});

test('a status left out is the general one of the class; 3xx and empty have none', () => {
  assert.equal(formatReply({ code: 451, text: 'later' }), '451 4.0.0 later\r\n');
  assert.equal(formatReply({ code: 354, text: 'go' }), '354 go\r\n');
  assert.equal(formatReply({ code: 334, text: '' }), '334 \r\n');
  assert.equal(formatReply({ code: 220, enhanced: '', text: 'mx' }), '220 mx\r\n');
});

test('a text cannot forge a line, and is sent as printable ASCII', () => {
  assert.equal(
    formatReply({ code: 550, enhanced: '5.7.1', text: 'no\r\n250 2.0.0 yes\tñ\u0000😀' }),
    '550 5.7.1 no 250 2.0.0 yes ???\r\n',
  );
});

test('no line of a reply is longer than 512 octets', () => {
  const lines = formatReply({ code: 550, enhanced: '5.7.1', text: 'x'.repeat(2000) }).split('\r\n');
  assert.ok(lines.every((line) => line.length <= 510));
  assert.equal(lines.join('').replaceAll(/[^x]/g, '').length, 2000);
});
