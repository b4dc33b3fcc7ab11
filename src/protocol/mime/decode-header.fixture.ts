/** The lines of a header field: name, folded lines without their CRLF. */
export function headerLines(field: string): string[] {
  if (!field.endsWith('\r\n')) throw new Error('a header ends in CRLF');
  return field.slice(0, -2).split('\r\n');
}

/** RFC 5322 §2.2.3 and RFC 2047 §6.1 backwards: the value as a reader shows it. Throws on a character cut in two. */
export function decodeHeader(field: string): string {
  const unfolded = headerLines(field).join('');
  const value = unfolded.slice(unfolded.indexOf(':') + 1).trim();
  const joined = value.replaceAll(/(=\?utf-8\?[bq]\?[^ ?]*\?=)[ \t]+(?==\?utf-8\?[bq]\?[^ ?]*\?=)/g, '$1');
  return joined.replaceAll(/=\?utf-8\?([bq])\?([^ ?]*)\?=/g, (_, encoding: string, text: string) =>
    decodeWord(encoding, text),
  );
}

function decodeWord(encoding: string, text: string): string {
  const octets =
    encoding === 'b'
      ? Buffer.from(text, 'base64')
      : Buffer.from(unescaped(text.replaceAll('_', ' ')), 'latin1');
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets);
}

function unescaped(text: string): string {
  return text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
