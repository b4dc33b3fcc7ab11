import { isUtf8 } from 'node:buffer';
import { packUnits } from './encoded-words.ts';
import { requireHeaderText } from './header-text.ts';
import { isMediaType } from './media-type.ts';
import type { Attachment } from './outgoing-message.ts';

/** Columns of a name that leave room for the parameter around it within 78. */
const shortName = 60;

/**
 * The headers of an attachment in base64. A name beyond short ASCII is written once as RFC 2231 has it and once, in
 * ASCII, as the `name` of the type: given both `filename` and `filename*` some readers take the first and some the
 * last, so the two do not share a header.
 */
export function attachmentHeader(attachment: Attachment): string {
  const { type, filename, content, content_id } = attachment;
  if (!isMediaType(type)) throw new TypeError('attachment type that is not of the form type/subtype');
  const name = requireHeaderText('attachment filename', filename).toWellFormed();
  return [
    `Content-Type: ${contentType(type, content)};`,
    ` name=${quoted(isPlainName(name) ? name : asciiName(name))}`,
    'Content-Transfer-Encoding: base64',
    ...(content_id ? [`Content-ID: <${requireContentId(content_id)}>`] : []),
    `Content-Disposition: ${dispositionOf(attachment)};`,
    isPlainName(name) ? ` filename=${quoted(name)}` : extendedFilename(name),
    '',
  ].join('\r\n');
}

/** Of the forms that RFC 2392 §2 allows, those that need no escaping in a URL, in HTML or in a header. */
export function isContentId(text: string): boolean {
  return /^[\w.+=@~-]{1,254}$/.test(text);
}

function requireContentId(text: string): string {
  if (!isContentId(text)) throw new TypeError('content id with a character that ids cannot have');
  return text;
}

function dispositionOf({ content_id, disposition }: Attachment): 'inline' | 'attachment' {
  return disposition ?? (content_id ? 'inline' : 'attachment');
}

/** Whether it belongs to the HTML, as an image in it, and not to the message as a whole. */
export function isPartOfHtml(attachment: Attachment): boolean {
  return Boolean(attachment.content_id) && dispositionOf(attachment) === 'inline';
}

/** RFC 2045 §6.4 forbids base64 for composite types; a text says its charset where it is known. */
function contentType(type: string, content: Buffer): string {
  if (/^(?:multipart|message)\//i.test(type)) return 'application/octet-stream';
  return /^text\//i.test(type) && isUtf8(content) ? `${type}; charset=utf-8` : type;
}

function isPlainName(name: string): boolean {
  return quoted(name).length <= shortName + 2 && /^[\x20-\x7e]*$/.test(name) && !name.includes('=?');
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** The name without accents, other scripts as underscores, shortened before its extension. */
function asciiName(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]|["\\]/gu, '_')
    .replaceAll('=?', '__');
  if (ascii.length <= shortName) return ascii;
  const extension = /\.[^.]{1,10}$/.exec(ascii)?.[0] ?? '';
  return ascii.slice(0, shortName - extension.length) + extension;
}

/** RFC 2231 §4 in one parameter where the line allows it, else in numbered ones (§3). */
function extendedFilename(name: string): string {
  const characters = Array.from(name, (character) =>
    /^[\w.!~-]$/.test(character) ? character : percentEncoded(character),
  );
  const segments = packUnits(characters, shortName - 10);
  if (segments.length <= 1) return ` filename*=UTF-8''${segments.join('')}`;
  return segments
    .map((segment, index) => ` filename*${index}*=${index === 0 ? "UTF-8''" : ''}${segment}`)
    .join(';\r\n');
}

function percentEncoded(character: string): string {
  return Buffer.from(character).toString('hex').toUpperCase().replaceAll(/../g, '%$&');
}
