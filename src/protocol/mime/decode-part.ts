import { fieldOf } from './read-fields.ts';
import type { Part } from './read-parts.ts';

/** The bytes of a part without their transfer encoding. */
export function partBytes({ fields, body }: Part): Buffer {
  const encoding = fieldOf(fields, 'content-transfer-encoding')?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64');
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(body);
  return body;
}

/** The text of a part, at most so many bytes of it; a charset that is missing or wrong is guessed. */
export function partText(part: Part, most_bytes: number): string {
  const all = partBytes({ ...part, body: part.body.subarray(0, most_bytes * 3) });
  const bytes = all.subarray(0, most_bytes);
  const charset = part.parameters['charset'] ?? '';
  const isUtf8 = charset === '' || /^(?:utf-?8|(?:us-)?ascii|ansi_x3.*)$/i.test(charset);
  const utf8 = (): string | undefined =>
    decode(all.length > most_bytes ? wholeCharacters(bytes) : bytes, 'utf-8');
  return (isUtf8 ? undefined : decode(bytes, charset)) ?? utf8() ?? bytes.toString('latin1');
}

/** Undefined when there is no such charset. UTF-8 is judged strictly: what is something else hardly ever passes for it. */
function decode(bytes: Buffer, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: charset === 'utf-8' }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Cut at a limit, the last character may be half there. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && end > bytes.length - 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  const lead = bytes[end - 1] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return end - 1 + length > bytes.length ? bytes.subarray(0, end - 1) : bytes;
}

function decodeQuotedPrintable(body: Buffer): Buffer {
  const text = body
    .toString('latin1')
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([\da-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, 'latin1');
}
