import assert from 'node:assert/strict';
import { test } from 'node:test';
import { submittedDocument } from './submitted-document.ts';

const related = 'Content-Type: multipart/related; boundary=b\n\n';
const part = (headers: string, body: string): string => `--b\n${headers}\n\n${body}\n`;
const documentOf = (...lines: string[]): string => submittedDocument(Buffer.from(lines.join('')));

test('an image that is shown many times does not fill the memory', () => {
  const image = part('Content-Type: image/png\nContent-ID: <a>', 'x'.repeat(1_000_000));
  const html = part('Content-Type: text/html', '<img src=cid:a>'.repeat(5_000));
  const document = documentOf(related, html, image, '--b--\n');
  assert.ok(document.includes('data:image/png;base64,') && document.endsWith('<img src=cid:a>'));
  assert.ok(document.length < 30_000_000);
});

test('a message of nothing but line ends is taken apart all the same', () => {
  assert.match(documentOf('Content-Type: text/html\n\n<p>x</p>', '\n'.repeat(5_000_000)), /^<p>x<\/p>/);
});

test('attachments are not read as the message', () => {
  const file = part(
    'Content-Type: text/html\nContent-Disposition: attachment; filename=a.html',
    '<p>file</p>',
  );
  const text = part(
    'Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable',
    'se=F1al',
  );
  assert.match(documentOf(related, file, text, '--b--\n'), /<pre[^>]*>señal<\/pre>/);
});

for (const [name, raw] of [
  ['nothing', ''],
  ['a header alone', 'Content-Type: text/html'],
  ['a boundary that never comes', related],
  ['noise', '\0\u{ffff}--b\n\n\n--b'],
] as const) {
  test(`${name} is shown as it is, without failing`, () => {
    assert.equal(typeof documentOf(raw), 'string');
  });
}
