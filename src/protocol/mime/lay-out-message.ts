import { randomUUID } from 'node:crypto';
import { attachmentHeader } from './attachment-part.ts';
import { messageHeader } from './message-header.ts';
import type { OutgoingMessage, SlottedText } from './outgoing-message.ts';
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
  if (attachments.length > 0) {
    const files = attachments.map((file) => ({ header: attachmentHeader(file), body: [file.content] }));
    return multipart('mixed', [layOutTexts(text, html, textPart), ...files]);
  }
  return layOutTexts(text, html, wholeText);
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

function multipart(subtype: 'mixed' | 'alternative', parts: Layout[]): Layout {
  // "=_" occurs in no quoted-printable or base64 text, 122 random bits in no other. Node keeps such bits in store.
  const boundary = `=_${randomUUID()}`;
  const pieces = parts.flatMap(({ header, body }): Piece[] => [
    `--${boundary}\r\n${header}\r\n`,
    ...body,
    '\r\n',
  ]);
  return {
    header: `Content-Type: multipart/${subtype};\r\n boundary="${boundary}"\r\n`,
    body: [...pieces, `--${boundary}--\r\n`],
  };
}
