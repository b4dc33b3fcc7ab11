import { escapeHtml } from '../../base/http/html.ts';
import { partBytes, partText } from '../../protocol/mime/decode-part.ts';
import { fieldOf } from '../../protocol/mime/read-fields.ts';
import { readParts, type Part } from '../../protocol/mime/read-parts.ts';

const maxTextBytes = 10 * 1024 * 1024;
/** One image can be referenced many times; further references stay empty. */
const maxImageCharacters = 20 * 1024 * 1024;

/** What a mail client shows of a raw message: its HTML, else its text. */
export function submittedDocument(raw: Buffer): string {
  const { parts } = readParts(raw);
  const shown = parts.filter(
    ({ fields }) => !/^attachment\b/i.test(fieldOf(fields, 'content-disposition') ?? ''),
  );
  const html = shown.find(({ type }) => type === 'text/html');
  if (html) return withImages(partText(html, maxTextBytes), imagesOf(parts));
  const text = shown.find(({ type }) => type === 'text/plain');
  return textDocument(text ? partText(text, maxTextBytes) : '');
}

export interface CarriedImage {
  type: string;
  content_id: string;
  /** Encoded octets in the message. */
  length: number;
  bytes: () => Buffer;
}

function imagesOf(parts: Part[]): CarriedImage[] {
  return parts.map((part) => ({
    type: part.type,
    content_id: fieldOf(part.fields, 'content-id')?.replace(/^<(.*)>$/s, '$1') ?? '',
    length: part.body.length,
    bytes: () => partBytes(part),
  }));
}

/** The HTML of a message, with the images that the message carries. */
export function withImagesOf(html: string, raw: Buffer): string {
  return /cid:/i.test(html) ? withImages(html, imagesOf(readParts(raw).parts)) : html;
}

/** Inlines related images, since there is nothing to load them from (RFC 2392). */
export function withImages(html: string, carried: CarriedImage[]): string {
  const images = new Map(
    carried.filter(({ type }) => /^image\/[\w.+-]+$/.test(type)).map((image) => [image.content_id, image]),
  );
  let left = maxImageCharacters;
  return html.replaceAll(/cid:([^"'\s)>]{1,500})/gi, (whole, id: string) => {
    const image = images.get(id) ?? images.get(decoded(id));
    if (!image) return whole;
    // As long as encoded, or a third longer.
    left -= Math.ceil(image.length * 1.4);
    return left < 0 ? whole : `data:${image.type};base64,${image.bytes().toString('base64')}`;
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function textDocument(text: string): string {
  return `<pre style="white-space:pre-wrap;overflow-wrap:anywhere;font:15px/1.5 ui-monospace,monospace;margin:24px">${escapeHtml(text)}</pre>`;
}
