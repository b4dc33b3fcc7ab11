import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeWords } from '../mime/decode-words.ts';
import { parseMessage } from '../mime/parse-message.ts';
import { gmailSamples } from './corpus-gmail.fixture.ts';
import type { ReplySample } from './corpus-mime.fixture.ts';
import { otherSamples } from './corpus-others.fixture.ts';
import { outlookSamples } from './corpus-outlook.fixture.ts';
import { readReply, type Reply } from './read-reply.ts';

const samples = [...gmailSamples, ...outlookSamples, ...otherSamples];

function readSample({ raw }: ReplySample): Reply {
  const { text, html, headers } = parseMessage(raw);
  const subject = decodeWords(headers.find(({ name }) => name === 'Subject')?.value ?? '');
  return readReply({ text, html, subject });
}

test('the corpus has sixty messages and more, each with its own name', () => {
  assert.ok(new Set(samples.map(({ name }) => name)).size >= 60, String(samples.length));
});

for (const sample of samples) {
  test(`the answer is found in: ${sample.name}`, () => {
    const { text_reply, confidence } = readSample(sample);
    assert.equal(text_reply, sample.expected);
    assert.equal(confidence, sample.confidence);
  });
}

test('hostile text is read in time that grows with its length', () => {
  for (const piece of [
    '> ',
    'From: ',
    'On 2025 wrote: ',
    'a@b ',
    '\n',
    '-',
    'On 10:15 <a@b> wrote:\n',
    '>\nx\n',
    '1 (',
    'This e-mail \n\n',
  ])
    assert.equal(
      readReply({ text: `x${piece.repeat(Math.ceil(270_000 / piece.length))}`, html: null }).confidence,
      'low',
    );
  for (const piece of [
    '<div ',
    '<blockquote type=cite>',
    '<p class="',
    '<div style="margin ',
    'a<br>',
    '</blockquote>',
  ])
    readReply({ text: null, html: piece.repeat(Math.ceil(400_000 / piece.length)) });
});

test('characters that stand for markup do nothing in text of others', () => {
  const text = 'Before\n\u{E0F0}\nafter';
  assert.deepEqual(readReply({ text, html: null }), { text_reply: 'Before\n\nafter', confidence: 'high' });
});

test('text and HTML that say different things are not believed wholly', () => {
  const html =
    '<p>Send it.</p><div class="gmail_quote"><blockquote class="gmail_quote">Old</blockquote></div>';
  assert.deepEqual(readReply({ text: 'Do not send it.', html }), {
    text_reply: 'Send it.',
    confidence: 'medium',
  });
});
