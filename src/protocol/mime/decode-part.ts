import { decodeCharset } from './decode-charset.ts';
import { decodeQuotedPrintable } from './decode-quoted-printable.ts';
import { fieldOf } from './read-fields.ts';
import type { Part } from './read-parts.ts';

/** The bytes of a part without their transfer encoding, at most so many of them. */
export function partBytes({ fields, body }: Part, max_bytes = body.length): Buffer {
  const encoding = fieldOf(fields, 'content-transfer-encoding')?.toLowerCase();
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(body, max_bytes);
  const bytes = encoding === 'base64' ? Buffer.from(body.toString('latin1'), 'base64') : body;
  return bytes.subarray(0, max_bytes);
}

/** The text of a part, at most so many bytes of it; a charset that is missing or wrong is guessed. */
export function partText(part: Part, max_bytes: number): string {
  const all = partBytes({ ...part, body: part.body.subarray(0, max_bytes * 3) });
  const bytes = all.subarray(0, max_bytes);
  const charset = part.parameters['charset'] ?? '';
  const isUtf8 = charset === '' || /^(?:utf-?8|(?:us-)?ascii|ansi_x3.*)$/i.test(charset);
  const utf8 = (): string | undefined =>
    decodeCharset(all.length > max_bytes ? wholeCharacters(bytes) : bytes, 'utf-8');
  return (isUtf8 ? undefined : decodeCharset(bytes, charset)) ?? utf8() ?? bytes.toString('latin1');
}

/** Cut at a limit, the last character may be half there. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && end > bytes.length - 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  const lead = bytes[end - 1] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return end - 1 + length > bytes.length ? bytes.subarray(0, end - 1) : bytes;
}
