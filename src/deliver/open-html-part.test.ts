import assert from 'node:assert/strict';
import { test } from 'node:test';
import PostalMime from 'postal-mime';
import { seededRandom } from '../protocol/mime/seeded-random.fixture.ts';
import { slottedBody } from '../protocol/mime/slot-values.ts';
import { mayHaveHtml, openHtmlPart } from './open-html-part.ts';
import { readHeaderBlock } from '../protocol/mime/header-block.ts';

/** In place of tracking: a slot in the place of every "LINK". */
const rewrite = (html: string) =>
  html.split('LINK').flatMap((text, index) => (index === 0 ? [text] : [{ slot: index }, text]));

function message(...lines: string[]): Buffer {
  return Buffer.from(lines.join('\r\n'));
}
function rewritten(raw: Buffer): Buffer | undefined {
  const opened = openHtmlPart(raw, rewrite);
  if (!opened) return undefined;
  const gap = opened.raw.length - opened.from_end;
  const whole = [opened.raw.subarray(0, gap), ...opened.content, opened.raw.subarray(gap)];
  return Buffer.concat(slottedBody(whole)((slot) => `https://t.example/c/${slot}`));
}

const html = '<p>ñ <a href="LINK">uno</a> <a href="LINK">dos</a></p>\r\n';
const expected = html.replace('LINK', 'https://t.example/c/1').replace('LINK', 'https://t.example/c/2');
const base64 = Buffer.from(html).toString('base64');
const quoted = html.replaceAll('=', '=3D').replace('ñ', '=C3=B1').replace('dos', 'd=\r\nos');
const alternative = (...part: string[]): Buffer =>
  message(
    'From: a@b.test',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="out er"',
    '',
    'preamble  ',
    '--out er',
    "Content-Type: multipart/alternative; boundary=in'ner",
    '',
    "--in'ner",
    'Content-Type: text/plain',
    '',
    'LINK stays  ',
    "--in'ner",
    ...part,
    "--in'ner--",
    '--out er',
    'Content-Type: application/octet-stream',
    'Content-Disposition: attachment; filename=a.bin',
    'Content-Transfer-Encoding: base64',
    '',
    'TElOSw==',
    '--out er--',
    'epilogue',
    '',
  );

const encodings: [name: string, given: string[], after: string][] = [
  [
    'base64',
    ['Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: base64', '', base64],
    'quoted-printable',
  ],
  [
    'quoted-printable',
    ['Content-Type: TEXT/HTML; charset="UTF-8"', 'Content-Transfer-Encoding: quoted-printable', '', quoted],
    'quoted-printable',
  ],
  [
    '8bit',
    ['content-transfer-encoding:  8BIT', 'Content-Type: text/html; charset=utf-8', '', html],
    'quoted-printable',
  ],
];
for (const [name, given, after] of encodings) {
  test(`the one HTML part is rewritten from ${name}, and every octet around it stays`, async () => {
    const raw = alternative(...given);
    const out = rewritten(raw);
    assert.ok(out);
    const email = await PostalMime.parse(out);
    assert.equal(email.html?.trim(), expected.trim());
    const body = given.slice(given.indexOf('') + 1).join('\r\n');
    const at = raw.indexOf(body);
    assert.ok(
      out.subarray(out.length - (raw.length - at - body.length)).equals(raw.subarray(at + body.length)),
    );
    const headerStart = raw.indexOf(given[0] ?? '');
    assert.ok(out.subarray(0, headerStart).equals(raw.subarray(0, headerStart)));
    const header = out.toString('latin1', headerStart, out.indexOf('\r\n\r\n', headerStart));
    assert.equal(header.match(/transfer-encoding: *(\S+)/i)?.[1], after);
    assert.equal(header.split('\r\n').length, given.indexOf(''));
  });
}

test('ASCII without an encoding stays without one, header and all', () => {
  const raw = message('Subject: x', 'Content-Type: text/html', '', '<a href="LINK">a</a>', '');
  assert.equal(rewritten(raw)?.toString(), raw.toString().replace('LINK', 'https://t.example/c/1'));
});

test('a message that is all HTML gets its encoding in its own header', async () => {
  const out = rewritten(
    message(
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      'Subject: x',
      '',
      base64,
    ),
  );
  const email = await PostalMime.parse(out ?? '');
  assert.equal(email.html?.trim(), expected.trim());
  assert.match(
    out?.toString() ?? '',
    /^Content-Type: [^\r]*\r\nContent-Transfer-Encoding: quoted-printable\r\nSubject: x\r\n\r\n/,
  );
  assert.match(out?.toString() ?? '', /\r\n$/);
});

test('every message opens without an error', () => {
  const random = seededRandom(4);
  const pieces = alternative(...(encodings[0]?.[1] ?? []))
    .toString('latin1')
    .split(/(?<=\r\n|[;=" ])/);
  for (let round = 0; round < 2_000; round += 1) {
    const odd = pieces.flatMap((piece) => {
      const chance = random();
      if (chance < 0.03) return [];
      return chance < 0.06 ? [piece, pieces[Math.floor(random() * pieces.length)] ?? ''] : [piece];
    });
    const raw = Buffer.from(odd.join(''), 'latin1');
    assert.doesNotThrow(() => rewritten(raw), raw.toString('latin1'));
  }
});

const utf8 = 'Content-Type: text/html; charset=utf-8';
const untouched: [why: string, raw: Buffer][] = [
  ['there is no HTML', message('Content-Type: text/plain', '', 'LINK', '')],
  ['there is nothing to rewrite', message(utf8, '', '<p>x</p>', '')],
  ['the HTML is attached', alternative(utf8, 'Content-Disposition: attachment', '', 'LINK')],
  ['there are two', alternative(utf8, '', 'LINK', "--in'ner", utf8, '', 'LINK')],
  ['somebody signed the message', message('DKIM-Signature: v=1; a=rsa-sha256', utf8, '', 'LINK', '')],
  [
    'somebody signed the part',
    Buffer.from(alternative(utf8, '', 'LINK').toString().replace('multipart/mixed', 'Multipart/Signed')),
  ],
  [
    'the part is encrypted',
    Buffer.from(
      alternative(utf8, '', 'LINK').toString().replace('multipart/alternative', 'multipart/encrypted'),
    ),
  ],
  ['a checksum stands over it', alternative(utf8, 'Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==', '', 'LINK')],
  ['it is inside another message', alternative('Content-Type: message/rfc822', '', utf8, '', 'LINK')],
  ['its charset is another', alternative('Content-Type: text/html; charset=iso-8859-1', '', 'LINK ñ')],
  [
    'its charset is not a superset of ASCII',
    alternative('Content-Type: text/html; charset=utf-16', '', 'LINK'),
  ],
  ['it is not what it says', Buffer.concat([message(utf8, '', 'LINK '), Buffer.of(0xff, 13, 10)])],
  ['its encoding is unknown', alternative(utf8, 'Content-Transfer-Encoding: x-uuencode', '', 'LINK')],
  [
    'its encoding is a name of objects',
    alternative(utf8, 'Content-Transfer-Encoding: constructor', '', 'LINK'),
  ],
  [
    'its quoted-printable is broken',
    alternative(utf8, 'Content-Transfer-Encoding: quoted-printable', '', 'LINK a=b'),
  ],
  ['its base64 is broken', alternative(utf8, 'Content-Transfer-Encoding: base64', '', `${base64}*`)],
  ['it is nothing', Buffer.alloc(0)],
];
for (const [why, raw] of untouched) {
  test(`a message stays as it is when ${why}`, () => assert.equal(rewritten(raw), undefined));
}

test('HTML is looked for in HTML, in multiparts and where the header cannot be read', () => {
  const mayHave = (header: string): boolean =>
    mayHaveHtml(readHeaderBlock(Buffer.from(`${header}\r\n\r\nHi\r\n`)));
  for (const type of [
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'Multipart/mixed; boundary=a',
    '\r\n multipart/related',
  ]) {
    assert.equal(mayHave(`Subject: Hi\r\nContent-Type: ${type}`), true, type);
  }
  assert.equal(mayHave('no field at all'), true);
  for (const header of [
    'Subject: multipart/mixed',
    'Content-Type: text/plain',
    'Content-Type: text/calendar',
  ]) {
    assert.equal(mayHave(header), false, header);
  }
});
