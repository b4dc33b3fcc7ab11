import { decodeCharset } from './decode-charset.ts';
import { decodeWords } from './decode-words.ts';

const pair = /;\s*([\w*-]{1,50})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/g;

/** The parameters of a Content-Type or Content-Disposition as they were written; the first of a name counts. */
export function readParameters(value: string): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [, name = '', quoted, bare = ''] of value.matchAll(pair)) {
    parameters[name.toLowerCase()] ??= quoted === undefined ? bare : quoted.replaceAll(/\\(.)/g, '$1');
  }
  return parameters;
}

/**
 * A parameter that is a text: by RFC 2231 in a charset of its own and in numbered pieces, or, as many programs write it,
 * in encoded words.
 */
export function textParameter(parameters: Record<string, string>, name: string): string | undefined {
  const plain = parameters[name];
  const pieces = numberedPieces(parameters, name);
  if (pieces.length === 0) return plain === undefined ? undefined : decodeWords(plain);
  const [, charset = 'utf-8', first = ''] = /^([^']{0,60})'[^']*'(.*)$/s.exec(pieces[0]?.text ?? '') ?? [];
  const isExtended = pieces[0]?.is_extended === true;
  const octets = pieces.map(({ text, is_extended }, index) => {
    const encoded = index === 0 && isExtended ? first : text;
    return is_extended ? percentDecoded(encoded) : Buffer.from(encoded);
  });
  const all = Buffer.concat(octets);
  return (isExtended ? decodeCharset(all, charset) : undefined) ?? all.toString();
}

/** `name*`, or `name*0`, `name*1*` and so on. */
function numberedPieces(
  parameters: Record<string, string>,
  name: string,
): { text: string; is_extended: boolean }[] {
  const whole = parameters[`${name}*`];
  if (whole !== undefined) return [{ text: whole, is_extended: true }];
  const pieces: { text: string; is_extended: boolean }[] = [];
  for (;;) {
    const extended = parameters[`${name}*${pieces.length}*`];
    const text = extended ?? parameters[`${name}*${pieces.length}`];
    if (text === undefined) return pieces;
    pieces.push({ text, is_extended: extended !== undefined });
  }
}

function percentDecoded(text: string): Buffer {
  const octets = text.replaceAll(/%([\da-f]{2})/gi, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(octets, 'latin1');
}
