import { randomUUID } from 'node:crypto';
import { attachmentHeader, isPartOfHtml } from './attachment-part.ts';
import { messageHeader } from './message-header.ts';
import type { Attachment, OutgoingMessage, SlottedText } from './outgoing-message.ts';
import { planTextBody, type TextBody } from './text-body.ts';

/** Lines, a text or the content of an attachment; what a message consists of before anything is encoded. */
type Piece = string | TextBody | Buffer;
interface Layout {
  header: string;
  body: Piece[];
}

/** The whole of a message, nothing of its content encoded yet: what is composed and what is measured. */
export function layOutMessage(message: OutgoingMessage): Layout {
  const { header, body } = layOutContent(message);
  return { header: messageHeader(message) + header, body };
}

function layOutContent({ text, html, attachments }: OutgoingMessage): Layout {
  const images = html === undefined ? [] : attachments.filter(isPartOfHtml);
  const files = attachments.filter((file) => !images.includes(file));
  if (attachments.length === 0) return layOutTexts(text, html, wholeText);
  const texts = layOutTexts(text, html, textPart);
  const shown = images.length > 0 ? related(texts, images) : texts;
  return files.length > 0 ? multipart('mixed', [shown, ...files.map(layOutFile)]) : shown;
}

/** RFC 2387: the HTML, or the choice that has it, with the images that it names. */
function related(texts: Layout, images: Attachment[]): Layout {
  const [, type = ''] = /^Content-Type: ([^;\r]+)/.exec(texts.header) ?? [];
  return multipart('related', [texts, ...images.map(layOutFile)], ` type="${type}";`);
}

function layOutFile(file: Attachment): Layout {
  return { header: attachmentHeader(file), body: [file.content] };
}

/** `single` lays out a text that has no alternative beside it. */
function layOutTexts(
  text: SlottedText | undefined,
  html: SlottedText | undefined,
  single: typeof wholeText,
): Layout {
  if (html === undefined) return single('plain', text ?? []);
  if (text === undefined) return single('html', html);
  return multipart('alternative', [textPart('plain', text), textPart('html', html)]);
}

function textPart(subtype: 'plain' | 'html', text: SlottedText): { header: string; body: [TextBody] } {
  const body = planTextBody(text);
  const header = `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: ${body.encoding}\r\n`;
  return { header, body: [body] };
}

/** SMTP carries lines: a body that does not end with one is ended here rather than by the first relay. */
function wholeText(subtype: 'plain' | 'html', text: SlottedText): Layout {
  const last = text.findLast((piece) => piece !== '');
  const isEnded = typeof last === 'string' && /[\r\n]$/.test(last);
  const { header, body } = textPart(subtype, isEnded ? text : [...text, '\r\n']);
  return { header, body: body[0].encoding === 'base64' ? [...body, '\r\n'] : body };
}

function multipart(
  subtype: 'mixed' | 'alternative' | 'related',
  parts: Layout[],
  parameter?: string,
): Layout {
  // "=_" occurs in no quoted-printable or base64 text, 122 random bits in no other. Node keeps such bits in store.
  const boundary = `=_${randomUUID()}`;
  const pieces = parts.flatMap(({ header, body }): Piece[] => [
    `--${boundary}\r\n${header}\r\n`,
    ...body,
    '\r\n',
  ]);
  return {
    header: [
      `Content-Type: multipart/${subtype};`,
      ...(parameter ? [parameter] : []),
      ` boundary="${boundary}"`,
      '',
    ].join('\r\n'),
    body: [...pieces, `--${boundary}--\r\n`],
  };
}
