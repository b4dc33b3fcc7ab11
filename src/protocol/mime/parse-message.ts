import { partBytes, partText } from './decode-part.ts';
import { readHeaderBlock } from './header-block.ts';
import { fieldOf } from './read-fields.ts';
import { readParameters, textParameter } from './read-parameters.ts';
import { readParts, type Part } from './read-parts.ts';

export interface MessageParts {
  headers: { name: string; value: string }[];
  html: string | null;
  text: string | null;
  attachments: { filename: string | null; type: string; size_bytes: number; content_id: string | null }[];
}

const maxTextBytes = 10 * 1024 * 1024;

/** A message as a mail program shows it; what cannot be read of it is left out. */
export function parseMessage(raw: Buffer): MessageParts {
  const { parts } = readParts(raw);
  const html = parts.find((part) => isShown(part, 'text/html'));
  const text = parts.find((part) => isShown(part, 'text/plain'));
  return {
    headers: readHeaders(raw),
    html: html ? partText(html, maxTextBytes) : null,
    text: text ? partText(text, maxTextBytes) : null,
    attachments: parts.filter((part) => part !== html && part !== text).map(describe),
  };
}

/** The file at this place of `attachments`, the first being 1. */
export function readAttachment(
  raw: Buffer,
  position: number,
): { filename: string | null; type: string; content: Buffer } | undefined {
  const { parts } = readParts(raw);
  const html = parts.find((part) => isShown(part, 'text/html'));
  const text = parts.find((part) => isShown(part, 'text/plain'));
  const part = parts.filter((each) => each !== html && each !== text)[position - 1];
  if (!part) return undefined;
  const { filename, type } = describe(part);
  return { filename, type, content: partBytes(part) };
}

function isShown({ type, fields }: Part, wanted: string): boolean {
  return type === wanted && !/^attachment\b/i.test(fieldOf(fields, 'content-disposition') ?? '');
}

function readHeaders(raw: Buffer): MessageParts['headers'] {
  const fields = readHeaderBlock(raw)?.fields ?? [];
  return fields.map(({ name, value, start }) => ({
    name: raw.toString('latin1', start, start + name.length),
    value,
  }));
}

function describe(part: Part): MessageParts['attachments'][number] {
  const { type, fields } = part;
  return {
    filename: filenameOf(part) ?? null,
    type,
    size_bytes: partBytes(part).length,
    content_id: fieldOf(fields, 'content-id') ?? null,
  };
}

export function filenameOf({ parameters, fields }: Part): string | undefined {
  const disposition = readParameters(fieldOf(fields, 'content-disposition') ?? '');
  return textParameter(disposition, 'filename') ?? textParameter(parameters, 'name');
}
