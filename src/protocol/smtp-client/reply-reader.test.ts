import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../mime/seeded-random.fixture.ts';
import { ReplyReader } from './reply-reader.ts';
import type { Reply } from './reply.ts';

const read = (text: string) => new ReplyReader().read(Buffer.from(text));

test('replies of one line and of several are read, each where it ends', () => {
  const { replies, fault } = read(
    '220 hi\r\n250-mx.test\r\n250-SIZE 10\r\n250 HELP\r\n354\r\n250-\r\n250 \r\n',
  );
  assert.equal(fault, undefined);
  assert.deepEqual(replies, [
    { code: 220, lines: ['hi'] },
    { code: 250, lines: ['mx.test', 'SIZE 10', 'HELP'] },
    { code: 354, lines: [''] },
    { code: 250, lines: ['', ''] },
  ]);
});

test('a reply cut into pieces of any size is read as the same reply', () => {
  const text = '250-ñandú.test\r\n250-語\r\n250 end\r\n550 5.1.1 nobody\n421 bye\r\n';
  const whole = read(text).replies;
  assert.equal(whole.length, 3);
  const bytes = Buffer.from(text);
  const random = seededRandom(5321);
  for (let round = 0; round < 300; round += 1) {
    const reader = new ReplyReader();
    const replies: Reply[] = [];
    for (let at = 0; at < bytes.length;) {
      const end = at + 1 + Math.floor(random() * (round % 20));
      const result = reader.read(bytes.subarray(at, end));
      assert.equal(result.fault, undefined);
      replies.push(...result.replies);
      at = end;
    }
    assert.deepEqual(replies, whole);
  }
});

test('replies before a fault still count', () => {
  const { replies, fault } = read('250 ok\r\nHTTP/1.1 400 Bad Request\r\n250 ok\r\n');
  assert.deepEqual(replies, [{ code: 250, lines: ['ok'] }]);
  assert.match(fault ?? '', /not a reply: "HTTP/);
});

test('lines that are not replies are a protocol error', () => {
  for (const line of [
    '',
    'x',
    '25',
    '25 ok',
    '250ok',
    '250\tok',
    '199 no',
    '600 no',
    '2a0 ok',
    ' 250 ok',
    '\0\xff',
  ]) {
    assert.match(read(`${line}\r\n`).fault ?? '', /not a reply/, JSON.stringify(line));
  }
});

test('the last code of a reply counts when its lines differ', () => {
  assert.equal(read('250-yes\r\n550 no\r\n').replies[0]?.code, 550);
});

test('lines up to 2 KB are taken, longer ones are a fault even before they end', () => {
  assert.equal(read(`250 ${'x'.repeat(2000)}\r\n`).fault, undefined);
  assert.match(read(`250 ${'x'.repeat(2100)}\r\n`).fault ?? '', /without end/);
  assert.match(read(`250 ${'x'.repeat(2100)}`).fault ?? '', /without end/);
});

test('replies of 100 lines are taken, longer ones are a fault', () => {
  assert.equal(read(`${'250-x\r\n'.repeat(99)}250 x\r\n`).replies[0]?.lines.length, 100);
  assert.match(read('250-x\r\n'.repeat(101)).fault ?? '', /without end/);
  assert.match(read(`250-${'x'.repeat(1500)}\r\n`.repeat(50)).fault ?? '', /without end/);
});
