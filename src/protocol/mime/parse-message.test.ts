import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport } from 'nodemailer';
import { assertLinear } from './growth.fixture.ts';
import { parseMessage } from './parse-message.ts';

test('a message of another library is parsed', async () => {
  const { message } = await createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  }).sendMail({
    from: 'a@example.com',
    to: 'b@example.com',
    subject: 'Hola',
    text: 'Hola ñandú',
    html: '<p>Hola <img src="cid:logo"> ñandú</p>',
    attachments: [
      {
        filename: 'un nombre muy largo y con eñes, ñandúes y señales de todas clases, 2026.pdf',
        content: 'pdf',
      },
      { filename: 'plain.txt', content: 'hello' },
      { filename: 'logo.png', content: Buffer.from('png!'), cid: 'logo' },
    ],
    headers: { 'X-Order': '1001' },
  });
  const { headers, html, text, attachments } = parseMessage(message as Buffer);
  assert.equal(headers.find(({ name }) => name === 'X-Order')?.value, '1001');
  assert.match(html ?? '', /^<p>Hola <img src="cid:logo"> ñandú<\/p>/);
  assert.equal(text?.trim(), 'Hola ñandú');
  const files = attachments.map(({ filename, type, size_bytes, content_id }) => [
    filename,
    type,
    size_bytes,
    content_id,
  ]);
  assert.deepEqual(
    files.toSorted((one, two) => String(one[1]).localeCompare(String(two[1]))),
    [
      [
        'un nombre muy largo y con eñes, ñandúes y señales de todas clases, 2026.pdf',
        'application/pdf',
        3,
        null,
      ],
      ['logo.png', 'image/png', 4, '<logo>'],
      ['plain.txt', 'text/plain', 5, null],
    ],
  );
});

test('names of files are read however they are written', () => {
  const name = (parameters: string): string | null | undefined =>
    parseMessage(Buffer.from(`Content-Type: a/b\r\nContent-Disposition: attachment; ${parameters}\r\n\r\nx`))
      .attachments[0]?.filename;
  assert.equal(name('filename=a.txt'), 'a.txt');
  assert.equal(name(String.raw`filename="a \"b\".txt"`), 'a "b".txt');
  assert.equal(name("filename*=UTF-8''%C3%B1.txt"), 'ñ.txt');
  assert.equal(name("filename*=iso-8859-1'es'%F1.txt"), 'ñ.txt');
  assert.equal(name(`filename*0*=UTF-8''%C3; filename*1*=%B1; filename*2=".txt"`), 'ñ.txt');
  assert.equal(name('filename*0=long; filename*1=-name.txt'), 'long-name.txt');
  assert.equal(name('filename="=?utf-8?q?=C3=B1=2Etxt?="'), 'ñ.txt');
  assert.equal(name('filename*=broken'), '');
  assert.equal(name('x=y'), null);
});

test('a message of any kind is taken apart in time that grows with it', () => {
  const pieces = [
    'g:',
    'a@b.c,',
    '--b\r\n',
    '--b--b\r\n',
    '\r\n',
    'a:\r\n',
    '\r\n ',
    '=41',
    ';a="',
    '"',
    'x',
  ];
  const begin = 'To: a\r\nContent-Type: multipart/mixed; boundary=b\r\n';
  const around: [string, string][] = [
    [begin, ''],
    [`${begin}\r\n`, ''],
    [`${begin}\r\n--b\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`, '\r\n--b--'],
    [`${begin}\r\n--b\r\nContent-Disposition: attachment`, '\r\n\r\nx\r\n--b--'],
  ];
  const read = (text: string): unknown => parseMessage(Buffer.from(text));
  assertLinear(read, { pieces, around, seed: 37, octets: 300_000, ns_per_octet: 300 });
});
