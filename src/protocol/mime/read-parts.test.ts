import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport } from 'nodemailer';
import { partBytes, partText } from './decode-part.ts';
import { readParts } from './read-parts.ts';

test('a message of another library is read part by part', async () => {
  const html = '<p>Ñandú — 日本語 = 100 %</p>\n'.repeat(20);
  const binary = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 256));
  const { message } = await createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  }).sendMail({
    from: 'a@example.com',
    to: 'b@example.com',
    subject: 'Ñ',
    text: 'plain – ñ\n',
    html,
    attachments: [{ filename: 'x.zip', contentType: 'application/zip', content: binary }],
  });
  const { type, parts } = readParts(message as Buffer);
  assert.equal(type, 'multipart/mixed');
  assert.deepEqual(
    parts.map((part) => part.type),
    ['text/plain', 'text/html', 'application/zip'],
  );
  const [plain, page, zip] = parts as [never, never, never];
  assert.equal(partText(plain, 1_000).trim(), 'plain – ñ');
  assert.equal(partText(page, 10_000).replaceAll('\r\n', '\n').trim(), html.trim());
  assert.deepEqual(partBytes(zip), binary);
});

test('a text is cut between characters, and in whatever charset it claims to be', () => {
  const part = (type: string, body: Buffer) =>
    readParts(Buffer.concat([Buffer.from(`Content-Type: ${type}\n\n`), body])).parts[0] as never;
  assert.equal(partText(part('text/plain; charset=utf-8', Buffer.from('añañ')), 5), 'aña');
  assert.equal(partText(part('text/plain; charset=iso-8859-1', Buffer.from('añ', 'latin1')), 9), 'añ');
  assert.equal(partText(part('text/plain; charset=us-ascii', Buffer.from('añ')), 9), 'añ');
  assert.equal(partText(part('text/plain; charset=utf-8', Buffer.from('añ', 'latin1')), 9), 'añ');
  assert.equal(partText(part('text/plain; charset=x-nobody', Buffer.from('añ')), 9), 'añ');
  assert.equal(partText(part('text/plain; charset="shift_jis"', Buffer.from('93fa967b', 'hex')), 9), '日本');
});

test('boundaries that resemble each other are told apart, and depth has an end', () => {
  const raw = Buffer.from(
    'Content-Type: multipart/mixed; boundary="a"\r\n\r\n--a\r\n\r\n--ab\r\none\r\n--a \r\nX: 1\r\n\r\ntwo --a\r\n--a--\r\nafter',
  );
  const bodies = readParts(raw).parts.map(({ body }) => body.toString());
  assert.deepEqual(bodies, ['--ab\r\none', 'two --a']);
  let nested = 'Content-Type: text/plain\r\n\r\nend';
  for (let level = 0; level < 50; level += 1) {
    nested = `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n${nested}`;
  }
  const { parts } = readParts(Buffer.from(nested));
  assert.deepEqual(
    parts.map(({ type }) => type),
    ['multipart/mixed'],
  );
  const many = readParts(
    Buffer.from(`Content-Type: multipart/mixed; boundary=b\n\n${'--b\n\nx\n'.repeat(5_000)}`),
  );
  assert.ok(many.parts.length <= 101);
});

test('accepts a header that never ends or never begins', () => {
  assert.deepEqual(readParts(Buffer.alloc(0)).parts.length, 1);
  assert.equal(readParts(Buffer.from('\r\nbody')).parts[0]?.body.toString(), 'body');
  assert.equal(readParts(Buffer.from('Subject: x')).parts[0]?.body.length, 0);
  assert.equal(readParts(Buffer.from('Content-Type: multipart/mixed; boundary="')).parts.length, 1);
});

test('a text full of what looks like the boundary is searched no further than it pays', () => {
  const read = (candidates: number) => {
    const head = 'Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n';
    return readParts(Buffer.from(`${head}${'x--b '.repeat(candidates)}\n--b\n\ntwo\n--b--`)).parts.length;
  };
  assert.deepEqual([read(9_000), read(10_000)], [2, 1]);
});

test('containers that hold nothing but the next one are opened as long as it pays', () => {
  const nested = (levels: number, size: number): string[] => {
    const open = Array.from(
      { length: levels },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`,
    );
    return readParts(Buffer.from(`${open.join('')}\n${'x'.repeat(size)}`)).parts.map(({ type }) => type);
  };
  assert.deepEqual(nested(3, 1_000_000), ['text/plain']);
  assert.deepEqual(nested(6, 1_000_000), ['multipart/mixed']);
});
