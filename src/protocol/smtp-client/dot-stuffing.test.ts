import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../mime/seeded-random.fixture.ts';
import { ByteBudget } from '../byte-budget.ts';
import { DataReader } from '../smtp/data-reader.ts';
import { stuffDots } from './dot-stuffing.ts';

const stuff = (...parts: string[]): string =>
  Buffer.concat(stuffDots(parts.map((part) => Buffer.from(part, 'latin1')))).toString('latin1');

test('a line that begins with a dot gets another', () => {
  assert.equal(stuff('.\r\n'), '..\r\n');
  assert.equal(stuff('a\r\n.b\r\n..\r\nc.\r\n.d'), 'a\r\n..b\r\n...\r\nc.\r\n..d\r\n');
  assert.equal(stuff('a.b\r\n'), 'a.b\r\n');
});

test('lines begin in one piece and end in another', () => {
  assert.equal(stuff('a\r\n', '.b', '.c\r', '\n', '', '.d\r', '\n'), 'a\r\n..b.c\r\n..d\r\n');
});

test('the last line is ended when it is not', () => {
  assert.equal(stuff(), '');
  assert.equal(stuff(''), '');
  assert.equal(stuff('a'), 'a\r\n');
  assert.equal(stuff('a\r', '\n'), 'a\r\n');
  assert.equal(stuff('a\n'), 'a\n\r\n');
  assert.equal(stuff('\n'), '\n\r\n');
});

test('a dot after a bare line feed cannot end the message for anybody', () => {
  for (const end of ['\n.\n', '\n.\r\n', '\r\n.\n', '\r\n.\r\n']) {
    assert.ok(!stuff(`a${end}MAIL FROM:<x@evil.test>\r\n`).includes(end), JSON.stringify(end));
  }
});

test('pieces without dots are not copied', () => {
  const piece = Buffer.from('no dots\r\nat all\r\n');
  assert.equal(stuffDots(piece)[0], piece);
});

test('a server reads what was sent, whatever the text and however it was cut', () => {
  const random = seededRandom(4052);
  const fragments = ['.', '..', '\r\n', '\r\n.', '.\r\n', 'a', 'ñ', '\r\n.\r\n', '\r\n\r\n', 'text'];
  for (let round = 0; round < 3000; round += 1) {
    const words = Array.from({ length: 1 + random() * 20 }, () => {
      return Buffer.from(fragments[Math.floor(random() * fragments.length)] ?? '');
    });
    const wire = Buffer.concat([...stuffDots(words), Buffer.from('.\r\n')]);
    const limits = {
      max_message_bytes: 1e6,
      max_line_bytes: 1e6,
      bare_newlines: 'reject',
      nul: 'keep',
    } as const;
    const reader = new DataReader(limits, new ByteBudget({ total_bytes: 1e9, share_bytes: 1e9 }).hold('a'));
    assert.equal(reader.write(wire), wire.length);
    const { data, fault } = reader.result();
    const sent = Buffer.concat(words).toString();
    assert.equal(fault, undefined);
    assert.equal(Buffer.concat(data).toString(), sent.endsWith('\r\n') ? sent : `${sent}\r\n`);
  }
});
