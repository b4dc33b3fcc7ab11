import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { composeMessage } from './compose-message.ts';
import { measureMessage } from './measure-message.ts';
import type { OutgoingMessage, SlottedText } from './outgoing-message.ts';
import { parseWithPython, whyNoPython, type ParsedMessage } from './parse-with-python.fixture.ts';
import { asReceived, sampleMessage, wire } from './sample-message.fixture.ts';
import { awkwardHeaderText, awkwardText, seededRandom } from './seeded-random.fixture.ts';

const skip = whyNoPython();

function parse(about: Partial<OutgoingMessage>): ParsedMessage {
  const [parsed] = parseWithPython([wire(composeMessage(sampleMessage(about)))]);
  assert.ok(parsed);
  assert.deepEqual(parsed.defects, []);
  return parsed;
}

function valueOf(parsed: ParsedMessage | undefined, name: string): string | undefined {
  return parsed?.headers.find(([each]) => each === name)?.[1];
}

function contentsOf(parsed: ParsedMessage | undefined): string[] {
  return (parsed?.parts ?? []).map(({ content }) => Buffer.from(content, 'base64').toString());
}

const texts: [what: string, text: string][] = [
  ['ASCII', 'Your order 1234 is on its way'],
  ['accents', 'Año nuevo: ¡regalos para todos los niños!'],
  ['combining marks', 'e\u0301a\u0308n\u0303 '.repeat(30).trim()],
  ['emoji', '🎉 Oferta 👩‍👩‍👧‍👦 sólo hoy 🇨🇱 '.repeat(8).trim()],
  ['long CJK', '日本語の長い件名がここにあります'.repeat(15)],
  ['right to left', 'שלום עולם مرحبا'],
  ['blanks between words outside ASCII', 'ñ  ñ   ñ a  b ñ'],
  ['what looks encoded', '=?utf-8?q?not_encoded?= and so on'],
  ['quotes and specials', 'a "quoted" <b@c.example>, (comment); \\ end.'],
  ['a word of 254 letters', 'x'.repeat(254)],
];
for (const [what, text] of texts) {
  test(`subject, names and a file name with ${what} are read as they were meant`, { skip }, () => {
    const parsed = parse({
      subject: text,
      from: { address: 'shop@example.com', name: text },
      to: [
        { address: 'ana@example.net', name: text },
        { address: 'b@example.net', name: `${text}, 2` },
      ],
      text: [text],
      html: [`<p>${text}</p>`],
      attachments: [{ type: 'application/pdf', filename: text, content: Buffer.from('pdf') }],
    });
    assert.equal(valueOf(parsed, 'Subject'), text);
    assert.deepEqual(parsed.addresses['From'], [{ name: text, address: 'shop@example.com' }]);
    assert.deepEqual(parsed.addresses['To'], [
      { name: text, address: 'ana@example.net' },
      { name: `${text}, 2`, address: 'b@example.net' },
    ]);
    assert.deepEqual(contentsOf(parsed), [text, `<p>${text}</p>`, 'pdf']);
    assert.deepEqual(
      parsed.parts.map(({ type, charset }) => [type, charset]),
      [
        ['text/plain', 'utf-8'],
        ['text/html', 'utf-8'],
        ['application/pdf', null],
      ],
    );
    assert.equal(parsed.parts[2]?.filename, text);
  });
}

test('attachments come back octet for octet', { skip }, () => {
  const contents = [0, 1, 56, 57, 58, 114, 5000].map((size) => randomBytes(size));
  const attachments = contents.map((content, index) => ({
    type: 'application/pdf',
    filename: `${index}.pdf`,
    content,
  }));
  const parsed = parse({ text: ['a'], attachments });
  assert.deepEqual(
    parsed.parts.slice(1).map(({ content }) => content),
    contents.map((content) => content.toString('base64')),
  );
  assert.deepEqual(
    parsed.parts.slice(1).map(({ filename, disposition, type }) => [filename, disposition, type]),
    attachments.map(({ filename }) => [filename, 'attachment', 'application/pdf']),
  );
});

test('a long header of a customer without a blank is encoded, and read as it was meant', { skip }, () => {
  const value = 'orders/2026-12-'.repeat(60);
  const headers: [string, string][] = [['X-Trail', value]];
  assert.match(wire(composeMessage(sampleMessage({ headers }))).toString(), /^X-Trail: =\?utf-8\?q\?/m);
  assert.equal(valueOf(parse({ headers }), 'X-Trail'), value);
});

const png = { type: 'image/png', filename: 'logo.png', content: Buffer.from('png') };
const pdf = { type: 'application/pdf', filename: 'a.pdf', content: Buffer.from('pdf') };
const shapes: [what: string, about: Partial<OutgoingMessage>, structure: string[], inside: string[]][] = [
  [
    'an image of the HTML',
    { text: ['t'], html: ['<img src="cid:logo">'], attachments: [{ ...png, content_id: 'logo' }] },
    ['related', 'alternative'],
    ['text/plain', 'text/html', 'image/png inline'],
  ],
  [
    'an image of the HTML and a file',
    { text: ['t'], html: ['h'], attachments: [pdf, { ...png, content_id: 'logo@shop' }] },
    ['mixed', 'related', 'alternative'],
    ['text/plain', 'text/html', 'image/png inline', 'application/pdf attachment'],
  ],
  [
    'an image that HTML without a text names',
    { html: ['h'], attachments: [{ ...png, content_id: 'logo' }] },
    ['related'],
    ['text/html', 'image/png inline'],
  ],
  [
    'one that is named and offered as a file',
    { html: ['h'], attachments: [{ ...png, content_id: 'logo', disposition: 'attachment' }] },
    ['mixed'],
    ['text/html', 'image/png attachment'],
  ],
  [
    'one that is shown and has no name',
    { html: ['h'], attachments: [{ ...png, disposition: 'inline' }] },
    ['mixed'],
    ['text/html', 'image/png inline'],
  ],
];
for (const [what, about, structure, inside] of shapes) {
  test(`${what} has its place in the structure`, { skip }, () => {
    const source = wire(composeMessage(sampleMessage(about))).toString();
    const kinds = Array.from(source.matchAll(/^Content-Type: multipart\/(\w+)/gm), ([, kind = '']) => kind);
    assert.deepEqual(kinds, structure);
    const parsed = parse(about);
    assert.deepEqual(
      parsed.parts.map(({ type, disposition }) => [type, disposition].filter(Boolean).join(' ')),
      inside,
    );
    const ids = (about.attachments ?? []).flatMap(({ content_id }) => (content_id ? [content_id] : []));
    assert.deepEqual(
      Array.from(source.matchAll(/^Content-ID: <(.*)>\r$/gm), ([, id = '']) => id),
      ids,
    );
    const message = sampleMessage(about);
    assert.equal(measureMessage(message, 0), composeMessage(message).measure(0));
  });
}

function randomMessage(random: () => number): OutgoingMessage {
  const maybe = <T>(make: () => T): T | undefined => (random() < 0.6 ? make() : undefined);
  const name = (): string => awkwardHeaderText(random, 60);
  const mailbox = (): { address: string; name: string | undefined } => ({
    address: 'a.b@example.net',
    name: maybe(name),
  });
  const text = (): SlottedText =>
    Array.from({ length: 3 }, (_, slot) =>
      random() < 0.3 ? { slot } : awkwardText(random, random() < 0.1 ? 5000 : 300),
    );
  const attachment = (): OutgoingMessage['attachments'][number] => ({
    type: random() < 0.5 ? 'text/csv' : 'image/png',
    filename: `a${name()}z`,
    content: Buffer.from(awkwardText(random, 200)),
  });
  return sampleMessage({
    from: mailbox(),
    to: Array.from({ length: Math.floor(random() * 4) }, mailbox),
    cc: Array.from({ length: Math.floor(random() * 2) }, mailbox),
    reply_to: maybe(() => [mailbox()]),
    subject: awkwardHeaderText(random, 254),
    headers: Array.from({ length: Math.floor(random() * 3) }, (_, index) => [
      `X-${index}`,
      awkwardHeaderText(random, 995),
    ]),
    text: maybe(text),
    html: maybe(text),
    attachments: Array.from({ length: Math.floor(random() * 3) }, attachment),
  });
}

test('the size measured without composing is the size, whatever the message', () => {
  const random = seededRandom(6);
  for (let round = 0; round < 500; round += 1) {
    const message = randomMessage(random);
    const composed = composeMessage(message);
    assert.equal(measureMessage(message, 17), composed.measure(17));
    assert.equal(composed.measure(5), wire(composed, () => 'x/y:z').length);
  }
});

test('no line is longer than SMTP allows and none ends in anything but CRLF', () => {
  const random = seededRandom(7);
  for (let round = 0; round < 300; round += 1) {
    const message = wire(composeMessage(randomMessage(random)), () =>
      'https://t.example/?a='.repeat(4),
    ).toString('latin1');
    const lines = message.split('\r\n');
    assert.equal(lines.pop(), '');
    for (const line of lines) assert.ok(line.length <= 998 && !/[\r\n\0]/.test(line), line);
  }
});

test('another parser reads any message without a defect and finds what was put in', { skip }, () => {
  const random = seededRandom(8);
  const messages = Array.from({ length: 100 }, () => randomMessage(random));
  const value = 'https://t.example/?a=b&c=%20';
  const parsed = parseWithPython(messages.map((message) => wire(composeMessage(message), () => value)));
  for (const [index, message] of messages.entries()) {
    const { text, html, attachments } = message;
    const given = [...(text || !html ? [text ?? []] : []), ...(html ? [html] : [])];
    const expected = given.map((pieces) => received(pieces, value));
    const isWhole = given.length === 1 && attachments.length === 0;
    const found = contentsOf(parsed[index]);
    assert.deepEqual(parsed[index]?.defects, []);
    assert.deepEqual(
      found.slice(0, given.length),
      expected.map((each) => (isWhole && !each.endsWith('\r\n') ? `${each}\r\n` : each)),
    );
    assert.deepEqual(
      parsed[index].parts.slice(given.length).map(({ content, filename }) => [content, filename]),
      attachments.map(({ content, filename }) => [content.toString('base64'), filename.toWellFormed()]),
    );
    assert.equal(
      valueOf(parsed[index], 'Subject'),
      message.subject.toWellFormed().replaceAll(/^[ \t]+|[ \t]+$/g, ''),
    );
  }
});

/** What a reader gets; line ends are judged within each text, not across a slot. */
function received(pieces: SlottedText, value: string): string {
  const marked = pieces.map((piece) => (typeof piece === 'string' ? piece : '\u{f0000}')).join('');
  return asReceived(marked).replaceAll('\u{f0000}', value);
}
