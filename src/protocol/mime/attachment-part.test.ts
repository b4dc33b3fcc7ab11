import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attachmentHeader } from './attachment-part.ts';
import { awkwardHeaderText, seededRandom } from './seeded-random.fixture.ts';

function header(filename: string, type = 'application/pdf', content = 'x'): string {
  return attachmentHeader({ type, filename, content: Buffer.from(content) });
}

function dispositionOf(filename: string): string {
  return /Content-Disposition: attachment;\r\n ([^]*)\r\n$/.exec(header(filename))?.[1] ?? '';
}

const names: [why: string, filename: string, disposition: string, fallback: string][] = [
  ['a plain name is quoted', 'report 1.pdf', 'filename="report 1.pdf"', 'report 1.pdf'],
  [
    'quotes and backslashes are escaped',
    String.raw`a"b\c.pdf`,
    String.raw`filename="a\"b\\c.pdf"`,
    String.raw`a\"b\\c.pdf`,
  ],
  [
    'RFC 2231 §4 outside ASCII, an ASCII name beside it',
    'Menú ñandú.pdf',
    "filename*=UTF-8''Men%C3%BA%20%C3%B1and%C3%BA.pdf",
    'Menu nandu.pdf',
  ],
  ['other scripts are underscores in ASCII', '報告.pdf', "filename*=UTF-8''%E5%A0%B1%E5%91%8A.pdf", '__.pdf'],
  ['emoji too', '🙂.pdf', "filename*=UTF-8''%F0%9F%99%82.pdf", '_.pdf'],
  ['the marks of RFC 2231 are escaped', "é'*%.pdf", "filename*=UTF-8''%C3%A9%27%2A%25.pdf", "e'*%.pdf"],
  [
    'what looks like an encoded word is escaped',
    '=?utf-8?q?a?=',
    "filename*=UTF-8''%3D%3Futf-8%3Fq%3Fa%3F%3D",
    '__utf-8?q?a?=',
  ],
  ['half a surrogate pair is U+FFFD', 'a\ud83d', "filename*=UTF-8''a%EF%BF%BD", 'a_'],
];
for (const [why, filename, disposition, fallback] of names) {
  test(why, () => {
    assert.equal(dispositionOf(filename), disposition);
    assert.ok(header(filename).startsWith(`Content-Type: application/pdf;\r\n name="${fallback}"\r\n`));
  });
}

test('rejects a content id that could end its header', () => {
  const given = { type: 'image/png', filename: 'a.png', content: Buffer.from('x') };
  assert.match(attachmentHeader({ ...given, content_id: 'a.b@c' }), /\r\nContent-ID: <a\.b@c>\r\n/);
  for (const content_id of ['a\r\nBcc: b', 'a b', '<a>', 'ñ', 'x'.repeat(255)]) {
    assert.throws(() => attachmentHeader({ ...given, content_id }), TypeError);
  }
});

test('RFC 2231 §3: a long name is numbered pieces that say it together, none of them cutting a character', () => {
  const random = seededRandom(5);
  for (let round = 0; round < 300; round += 1) {
    const filename = `ñ${awkwardHeaderText(random, 400)}`;
    const field = dispositionOf(filename);
    assert.ok(
      header(filename)
        .split('\r\n')
        .every((line) => line.length <= 78),
    );
    const pieces = [...field.matchAll(/filename\*(?:(\d+)\*)?=(?:UTF-8'')?([^;]*)/g)];
    assert.deepEqual(
      pieces.map(([, number]) => Number(number ?? 0)),
      [...pieces.keys()],
    );
    assert.equal(pieces.map(([, , text = '']) => decodeURIComponent(text)).join(''), filename.toWellFormed());
  }
});

test('a long ASCII name keeps its extension in the fallback', () => {
  const [, fallback = ''] = /name="(.*)"/.exec(header(`${'a'.repeat(300)}.pdf`)) ?? [];
  assert.ok(fallback.length <= 60 && fallback.endsWith('a.pdf'));
});

test('a composite type may not be base64 and is sent as octets', () => {
  assert.match(header('a.eml', 'message/rfc822'), /^Content-Type: application\/octet-stream;/);
  assert.match(header('a', 'Multipart/mixed'), /^Content-Type: application\/octet-stream;/);
});

test('a text that is UTF-8 says so', () => {
  assert.match(header('a.csv', 'text/csv', 'ñ'), /^Content-Type: text\/csv; charset=utf-8;/);
  const latin1 = attachmentHeader({
    type: 'text/csv',
    filename: 'a.csv',
    content: Buffer.from('ñ', 'latin1'),
  });
  assert.match(latin1, /^Content-Type: text\/csv;\r\n/);
});

test('a header never holds characters that end a line', () => {
  for (const control of ['\r\nX: y', '\r', '\n', '\0', '\u007f']) {
    assert.throws(() => header(`a${control}.pdf`), TypeError);
    assert.throws(() => header('a.pdf', `text/plain${control}`), TypeError);
  }
});
