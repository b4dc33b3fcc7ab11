/** One part of a multipart body (RFC 7578). */
export interface FormPart {
  name: string;
  /** Undefined: the part is text. */
  filename: string | undefined;
  type: string;
  charset: string;
  content: Buffer;
}

/** The sentence ends `The multipart body …`. */
export class MalformedMultipart extends Error {}

const maxHeaderLength = 16 * 1024;
const line_end = '\r\n';
const parameter = /;\s*([\w!#$&+.^`|~-]+\*?)\s*=\s*("(?:[^"\\]|\\.)*"|[^;\s"]*)/gs;

/**
 * The parts of a whole body. Text before the first delimiter and after the last is ignored (RFC 2046 §5.1.1);
 * a delimiter is one by its beginning, so that what follows it on its line has to be in order.
 */
export function* readParts(contentType: string, body: Buffer): Generator<FormPart> {
  const boundary = parametersOf(contentType).get('boundary');
  if (!boundary) throw new MalformedMultipart('has no boundary');
  const delimiter = `${line_end}--${boundary}`;
  const begins = body.toString('latin1', 0, delimiter.length - 2) === delimiter.slice(2);
  const first = begins ? -2 : body.indexOf(delimiter);
  if (first === -1) throw new MalformedMultipart('has no delimiter');
  let at = first + delimiter.length;
  while (body.toString('latin1', at, at + 2) !== '--') {
    const lineEnd = body.indexOf(line_end, at);
    if (lineEnd === -1) throw new MalformedMultipart('is cut off');
    if (/[^ \t]/.test(body.toString('latin1', at, Math.min(lineEnd, at + maxHeaderLength)))) {
      throw new MalformedMultipart('has a malformed delimiter');
    }
    const headerEnd = body.indexOf(`${line_end}${line_end}`, lineEnd);
    // The line end before a delimiter can be that of the header: then the part has no content.
    const next = headerEnd === -1 ? -1 : body.indexOf(delimiter, headerEnd + 2);
    if (next === -1) throw new MalformedMultipart('is cut off');
    if (headerEnd - lineEnd > maxHeaderLength)
      throw new MalformedMultipart('has a part with too long a header');
    const header = headersOf(decode(body.subarray(lineEnd, headerEnd), 'utf-8'));
    yield { ...describe(header), content: body.subarray(headerEnd + 4, Math.max(next, headerEnd + 4)) };
    at = next + delimiter.length;
  }
}

function headersOf(block: string): Map<string, string> {
  const lines = block.replaceAll(/\r\n[ \t]+/g, ' ').split(line_end);
  return new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, Math.max(colon, 0)).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

function describe(header: Map<string, string>): Omit<FormPart, 'content'> {
  const disposition = header.get('content-disposition') ?? '';
  const parameters = parametersOf(disposition);
  const name = parameters.get('name');
  if (!/^form-data\s*(;|$)/i.test(disposition) || name === undefined) {
    throw new MalformedMultipart('has a part without a name');
  }
  // RFC 7578 §4.4: a part that does not say is plain text.
  const contentType = header.get('content-type') ?? 'text/plain';
  return {
    name,
    filename: filenameOf(parameters),
    type: (contentType.split(';')[0] ?? '').trim().toLowerCase(),
    charset: parametersOf(contentType).get('charset') ?? 'utf-8',
  };
}

function parametersOf(value: string): Map<string, string> {
  return new Map(
    Array.from(value.matchAll(parameter), ([, name = '', given = '']): [string, string] => [
      name.toLowerCase(),
      given.startsWith('"') ? unquote(given) : given,
    ]),
  );
}

/** curl writes a quote with a backslash, browsers as %22; neither touches other backslashes of a path. */
function unquote(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replaceAll(/\\(["\\])/g, '$1')
    .replaceAll('%22', '"');
}

/** The name without the folders that some clients put before it (RFC 7578 §4.2). */
function filenameOf(parameters: Map<string, string>): string | undefined {
  const extended = parameters.get('filename*');
  const name = extended === undefined ? parameters.get('filename') : decodeExtended(extended);
  return name?.replace(/^.*[/\\]/s, '');
}

/** RFC 8187: charset, language and percent-encoded octets. */
function decodeExtended(value: string): string {
  const [, charset = '', encoded = ''] =
    /^([\w-]+)'[\w-]*'([^'%]*(?:%[\da-f]{2}[^'%]*)*)$/i.exec(value) ?? [];
  if (charset === '') throw new MalformedMultipart('has a malformed file name');
  const octets = encoded.replaceAll(/%([\da-f]{2})/gi, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decode(Buffer.from(octets, 'latin1'), charset);
}

/** The text that octets stand for; not all octets stand for one. */
export function decode(octets: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(octets);
  } catch {
    throw new MalformedMultipart(`has text that is not ${charset}`);
  }
}
