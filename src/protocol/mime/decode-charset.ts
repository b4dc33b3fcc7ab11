import { TextDecoder } from 'node:util';

/** Names of charsets that mail has: a sender must not fill the store of decoders with other names. */
const known =
  /^(?:utf-?8|unicode-1-1-utf-8|us-ascii|ascii|ansi_x3\.4-1968|utf-?16(?:le|be)?|iso-?8859-?\d{1,2}(?:-[ei])?|latin\d|(?:windows|cp|x-cp)-?\d{3,4}|ibm866|koi8-(?:r|u|ru)|macintosh|x-mac-(?:roman|cyrillic)|gbk|gb2312|gb18030|big5(?:-hkscs)?|euc-(?:jp|kr)|iso-2022-jp|shift[-_]jis|ks_c_5601-1987|tis-620)$/;

const decoders = new Map<string, TextDecoder | undefined>();

/** Octets as text. Undefined for an unknown charset, or when declared UTF-8 is invalid. */
export function decodeCharset(octets: Buffer, charset: string): string | undefined {
  const name = charset.toLowerCase();
  if (!known.test(name)) return undefined;
  if (!decoders.has(name)) decoders.set(name, createDecoder(name));
  try {
    return decoders.get(name)?.decode(octets);
  } catch {
    return undefined;
  }
}

/** UTF-8 is decoded strictly: other charsets are hardly ever valid UTF-8. */
function createDecoder(name: string): TextDecoder | undefined {
  try {
    return new TextDecoder(name, { fatal: /^utf-?8$/.test(name) });
  } catch {
    return undefined;
  }
}
