import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const max_bytes = 10 * 1024 * 1024;
/** Reports repeat themselves and shrink to a fiftieth; what shrinks by more than this was made to. */
const maxRatio = 250;
const minBound = 64 * 1024;

const inflate = promisify(gunzip);

/** The XML of an attachment: a zip file of one entry, gzip, or as it is; told by its first bytes, never by its name. */
export async function unpackReport(packed: Buffer): Promise<string | undefined> {
  const most = Math.min(max_bytes, Math.max(minBound, packed.length * maxRatio));
  const start = packed.toString('hex', 0, 4);
  try {
    if (start === '504b0304') return decodeXml(await unzip(packed, most));
    if (start.startsWith('1f8b')) return decodeXml(await inflate(packed, { maxOutputLength: most }));
  } catch {
    // Damaged, or more than its bound: there is nothing to be had from it.
    return undefined;
  }
  return packed.length <= max_bytes ? decodeXml(packed) : undefined;
}

async function unzip(packed: Buffer, most: number): Promise<Buffer | undefined> {
  const { fromBufferPromise } = await import('yauzl');
  const zip = await fromBufferPromise(packed, { lazyEntries: true });
  if (zip.entryCount !== 1) return undefined;
  for await (const entry of zip.eachEntry()) {
    if (entry.uncompressedSize > most || !entry.canDecodeFileData()) return undefined;
    const pieces: Buffer[] = [];
    let size = 0;
    // The size that an entry claims is compared with what comes out of it; the bound holds whatever it claims.
    for await (const piece of await zip.openReadStreamPromise(entry)) {
      size += (piece as Buffer).length;
      if (size > most) return undefined;
      pieces.push(piece as Buffer);
    }
    return Buffer.concat(pieces);
  }
  return undefined;
}

/** In the charset of its mark or its declaration, else UTF-8; undefined for what does not begin like XML. */
function decodeXml(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  const head = bytes.toString('latin1', 0, 200);
  const marked = head.startsWith('\xff\xfe')
    ? 'utf-16le'
    : head.startsWith('\xfe\xff')
      ? 'utf-16be'
      : undefined;
  const declared = /^[^<]{0,3}<\?xml[^>]{0,100}encoding=["']([\w.:-]{1,40})["']/i.exec(head)?.[1];
  const text = decodeAs(bytes, marked ?? (declared && !/^utf-?16/i.test(declared) ? declared : 'utf-8'));
  return /^\s{0,20}</.test(text) ? text : undefined;
}

function decodeAs(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString();
  }
}
