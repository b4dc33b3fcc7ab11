import { isAscii } from 'node:buffer';
import { partBytes } from '../protocol/mime/decode-part.ts';
import { readHeaderBlock, type HeaderBlock } from '../protocol/mime/header-block.ts';
import type { SlottedText } from '../protocol/mime/outgoing-message.ts';
import { fieldOf } from '../protocol/mime/read-fields.ts';
import { readParts, type Part } from '../protocol/mime/read-parts.ts';
import type { BodySlot } from '../protocol/mime/slot-values.ts';
import { encodeTextBody, planTextBody } from '../protocol/mime/text-body.ts';

/** A message without the body of its HTML part, and the rewritten body to insert. */
export interface OpenedMessage {
  raw: Buffer;
  /** Octets that follow the gap. */
  from_end: number;
  content: (Buffer | BodySlot)[];
}

/** Whether a message is HTML or has parts; to look for them in plain text took 2 % of a delivery. */
export function mayHaveHtml(header: HeaderBlock | undefined): boolean {
  const type = header?.fields.find(({ name }) => name === 'content-type')?.value ?? '';
  return header === undefined || /^(?:text\/html|multipart\/)/i.test(type);
}

/**
 * Rewrites the HTML part of a submitted message where that breaks nothing: every other octet stays, except the part's
 * Content-Transfer-Encoding when it changes. Undefined when in doubt: several HTML parts, a charset or encoding that does
 * not round-trip, or a signature over the body.
 */
export function openHtmlPart(raw: Buffer, rewrite: (html: string) => SlottedText): OpenedMessage | undefined {
  const { parts, fields } = readParts(raw);
  if (fields.some(({ name }) => name === 'dkim-signature') || parts.some(isSealed)) return undefined;
  const [part, ...others] = parts.filter(isShownHtml);
  const html = part && others.length === 0 ? textOf(part) : undefined;
  if (!part || html === undefined) return undefined;
  const text = rewrite(html);
  const start = part.body.byteOffset - raw.byteOffset;
  const header = findHeader(raw, start);
  if (!header || !text.some((piece) => typeof piece !== 'string')) return undefined;
  const isWhole = header.start === 0;
  const body = planTextBody(isWhole && !html.endsWith('\n') ? [...text, '\r\n'] : text);
  const encoded = withEncoding(raw.subarray(header.start, start), header, body.encoding);
  const after = raw.subarray(start + part.body.length);
  return {
    raw: Buffer.concat([raw.subarray(0, header.start), encoded, after]),
    from_end: after.length,
    content: encodeTextBody(body),
  };
}

function isSealed({ type, is_sealed }: Part): boolean {
  return is_sealed || /^multipart\/(?:signed|encrypted)$/.test(type);
}

function isShownHtml({ type, fields }: Part): boolean {
  return type === 'text/html' && !/^\s*attachment/i.test(fieldOf(fields, 'content-disposition') ?? '');
}

/** Input that does not round-trip, by transfer encoding. */
const inexact = new Map([
  ['7bit', /(?!)/],
  ['8bit', /(?!)/],
  ['quoted-printable', /=(?![\dA-Fa-f]{2}|\r\n)/],
  ['base64', /[^A-Za-z0-9+/=\r\n]|=[^=\r\n]/],
]);

/** The decoded text of the part; undefined where encoding it again could change it. */
function textOf(part: Part): string | undefined {
  const { fields, parameters, body } = part;
  const encoding = fieldOf(fields, 'content-transfer-encoding')?.toLowerCase() ?? '7bit';
  if (fieldOf(fields, 'content-md5') !== undefined) return undefined;
  if (inexact.get(encoding)?.test(body.toString('latin1')) !== false) return undefined;
  const bytes = partBytes(part);
  const charset = parameters['charset']?.toLowerCase() ?? 'us-ascii';
  const isReadable =
    /^utf-?8$/.test(charset) || (/^(?:us-ascii|iso-8859-\d+|windows-125\d)$/.test(charset) && isAscii(bytes));
  const text = isReadable ? bytes.toString() : '';
  return isReadable && Buffer.from(text).equals(bytes) ? text : undefined;
}

/** The header of the part whose content begins at `bodyStart`: the message's own, or what follows a boundary. */
function findHeader(raw: Buffer, bodyStart: number): (HeaderBlock & { start: number }) | undefined {
  const boundary = raw.subarray(0, bodyStart).lastIndexOf('\r\n--');
  const isWhole = readHeaderBlock(raw)?.body_start === bodyStart;
  const start = isWhole ? 0 : raw.indexOf('\r\n', boundary + 2) + 2;
  const block = readHeaderBlock(raw.subarray(start, bodyStart));
  return block?.body_start === bodyStart - start ? { ...block, start } : undefined;
}

function withEncoding(header: Buffer, { fields }: HeaderBlock, encoding: string): Buffer {
  const field = fields.find(({ name }) => name === 'content-transfer-encoding');
  if ((field?.value.toLowerCase() ?? '7bit') === encoding) return header;
  const line = Buffer.from(`Content-Transfer-Encoding: ${encoding}\r\n`);
  const start = field?.start ?? fields.at(-1)?.end ?? 0;
  return Buffer.concat([header.subarray(0, start), line, header.subarray(field?.end ?? start)]);
}
