import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeMessage } from './compose-message.ts';
import { measureMessage } from './measure-message.ts';
import type { OutgoingMessage } from './outgoing-message.ts';
import { sampleMessage, wire } from './sample-message.fixture.ts';

/** The message as text, its boundaries called B1, B2 in the order they are declared. */
function written(about: Partial<OutgoingMessage>): string {
  let text = wire(composeMessage(sampleMessage(about))).toString();
  const boundaries = [...text.matchAll(/boundary="(.*)"/g)].map(([, boundary = '']) => boundary);
  boundaries.forEach((boundary, index) => (text = text.replaceAll(boundary, `B${index + 1}`)));
  return text;
}

function bodyOf(about: Partial<OutgoingMessage>): string {
  return written(about).slice(written(about).indexOf('\r\n\r\n') + 4);
}

function encodingOf(text: string): string {
  return /Transfer-Encoding: (.*)\r\n/.exec(written({ text: [text] }))?.[1] ?? '';
}

test('headers are written in the usual order', () => {
  const message = written({
    cc: [{ address: 'b@example.net', name: 'B' }],
    reply_to: [{ address: 'r@example.com' }],
    headers: [
      ['X-Campaign', 'spring'],
      ['References', '<a@example.com>'],
    ],
    text: ['Hello\n'],
  });
  assert.equal(
    message,
    [
      'From: The Shop <shop@example.com>',
      'To: ana@example.net',
      'Cc: B <b@example.net>',
      'Subject: Your order',
      'Date: Mon, 05 Jan 2026 07:08:09 +0000',
      'Message-ID: <0190f3c2@example.com>',
      'Reply-To: r@example.com',
      'X-Campaign: spring',
      'References: <a@example.com>',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 7bit',
      '',
      'Hello',
      '',
    ].join('\r\n'),
  );
});

test('a message without visible recipients says so', () => {
  assert.match(written({ to: [], text: ['a'] }), /^To: undisclosed-recipients:;\r$/m);
});

test('a message id may come with its brackets', () => {
  assert.match(written({ message_id: '<a@b.example>', text: ['a'] }), /^Message-ID: <a@b.example>\r$/m);
});

test('HTML without text is a text/html message', () => {
  assert.match(written({ html: ['<p>a</p>'] }), /^Content-Type: text\/html; charset=utf-8\r$/m);
  assert.equal(bodyOf({ html: ['<p>a</p>'] }), '<p>a</p>\r\n');
});

test('text and HTML are alternatives, the richer last', () => {
  assert.equal(
    bodyOf({ text: ['a'], html: ['<p>a</p>'] }),
    [
      '--B1',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 7bit',
      '',
      'a',
      '--B1',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: 7bit',
      '',
      '<p>a</p>',
      '--B1--',
      '',
    ].join('\r\n'),
  );
});

test('attachments stand after the texts in a multipart/mixed', () => {
  const attachments = [{ type: 'application/pdf', filename: 'a.pdf', content: Buffer.from('pdf') }];
  const types = (about: Partial<OutgoingMessage>): string[] =>
    [...written({ ...about, attachments }).matchAll(/^Content-Type: ([^;\r]*)/gm)].map(
      ([, type = '']) => type,
    );
  assert.deepEqual(types({ text: ['a'] }), ['multipart/mixed', 'text/plain', 'application/pdf']);
  assert.deepEqual(types({ html: ['a'] }), ['multipart/mixed', 'text/html', 'application/pdf']);
  assert.deepEqual(types({ text: ['a'], html: ['b'] }), [
    'multipart/mixed',
    'multipart/alternative',
    'text/plain',
    'text/html',
    'application/pdf',
  ]);
});

test('boundaries differ from message to message', () => {
  const boundary = (): string | undefined =>
    /boundary="(.*)"/.exec(
      composeMessage(sampleMessage({ text: ['a'], html: ['b'] })).header.toString(),
    )?.[1];
  assert.match(boundary() ?? '', /^=_[\da-f-]{36}$/);
  assert.notEqual(boundary(), boundary());
});

test('an encoding is used only where it is needed', () => {
  assert.equal(encodingOf('plain\n'.repeat(1000)), '7bit');
  assert.equal(encodingOf('x'.repeat(998)), '7bit');
  assert.equal(encodingOf(`${'x'.repeat(998)}\r\n`.repeat(3)), '7bit');
  assert.equal(encodingOf(`${'x'.repeat(998)}\n`.repeat(3)), '7bit');
  assert.equal(encodingOf('x'.repeat(999)), 'quoted-printable');
  assert.equal(encodingOf(`a\n${'x'.repeat(999)}\nb`), 'quoted-printable');
  assert.equal(encodingOf('a\0b'), 'quoted-printable');
  assert.equal(encodingOf('El señor llegó de la otra ciudad por la mañana.'), 'quoted-printable');
  assert.equal(encodingOf('日本語のテキスト'), 'base64');
});

test('a message of one text ends in a line end, whatever its encoding', () => {
  for (const text of ['a', 'a\n', 'ñ', '日本語', 'a\r', '']) assert.match(bodyOf({ text: [text] }), /\r\n$/);
  assert.equal(bodyOf({ text: ['a\r\n', ''] }), 'a\r\n');
  assert.equal(bodyOf({}), '\r\n');
});

test('slots make room for the longest value, or for soft breaks', () => {
  const encoding = (text: string): string =>
    /Encoding: (.*)\r/.exec(
      composeMessage(sampleMessage({ text: [text, { slot: 0 }, text] })).header.toString(),
    )?.[1] ?? '';
  assert.equal(encoding('x'.repeat(449)), '7bit');
  assert.equal(encoding('x'.repeat(450)), 'quoted-printable');
  assert.equal(encoding('日本語'), 'quoted-printable');
});

test('a body without slots is rendered once for all', () => {
  const composed = composeMessage(sampleMessage({ html: ['<p>a</p>'] }));
  assert.equal(composed.has_slots, false);
  assert.equal(composed.render(String)[0], composed.render(String)[0]);
});

test('the parts before the first slot and after the last are shared by all recipients', () => {
  const content = Buffer.alloc(100_000, 'x');
  const attachments = [{ type: 'application/pdf', filename: 'a.pdf', content }];
  const composed = composeMessage(sampleMessage({ html: ['a', { slot: 0 }, 'b'], attachments }));
  const [first, second] = [composed.render(String), composed.render(String)];
  assert.deepEqual(
    [first[0] === second[0], first[1] === second[1], first[2] === second[2]],
    [true, false, true],
  );
  assert.ok((first[2]?.length ?? 0) > content.length);
});

const injections: [what: string, about: (evil: string) => Partial<OutgoingMessage>][] = [
  ['the name of the sender', (evil) => ({ from: { address: 'a@example.com', name: evil } })],
  ['the address of the sender', (evil) => ({ from: { address: `a${evil}@example.com` } })],
  ['the name of a recipient', (evil) => ({ to: [{ address: 'a@example.com', name: evil }] })],
  ['the address of a copy', (evil) => ({ cc: [{ address: `a@example.com${evil}` }] })],
  ['the address for replies', (evil) => ({ reply_to: [{ address: `a@example.com${evil}` }] })],
  ['the subject', (evil) => ({ subject: evil })],
  ['the message id', (evil) => ({ message_id: `a${evil}@example.com` })],
  ['the name of a header', (evil) => ({ headers: [[`X-A${evil}`, 'a']] })],
  ['the value of a header', (evil) => ({ headers: [['X-A', evil]] })],
  [
    'the name of a file',
    (evil) => ({ attachments: [{ type: 'a/b', filename: evil, content: Buffer.alloc(0) }] }),
  ],
  [
    'the type of a file',
    (evil) => ({ attachments: [{ type: `a/b${evil}`, filename: 'a', content: Buffer.alloc(0) }] }),
  ],
];
for (const [what, about] of injections) {
  test(`${what} cannot add a line to the header`, () => {
    for (const evil of ['\r\nBcc: b@example.net', '\n', '\r', '\0', '\u001b', '\u007f']) {
      const message = sampleMessage({ text: ['a'], ...about(evil) });
      assert.throws(() => composeMessage(message), TypeError);
      assert.throws(() => measureMessage(message, 0), TypeError);
    }
  });
}

test('a header that has a member of its own is refused', () => {
  for (const name of ['Subject', 'to', 'BCC', 'Content-Type', 'message-id', 'Date']) {
    assert.throws(() => composeMessage(sampleMessage({ headers: [[name, 'a']] })), TypeError);
  }
  assert.throws(() => composeMessage(sampleMessage({ date: new Date(Number.NaN) })), RangeError);
});
