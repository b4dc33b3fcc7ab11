import { decodeQuotedPrintable } from './decode-quoted-printable.ts';

export type TransferEncoding = 'identity' | 'base64' | 'quoted-printable';

/** Of a Content-Transfer-Encoding field; what is not known is taken as it is. */
export function transferEncodingOf(value: string | undefined): TransferEncoding {
  const name = value?.trim().toLowerCase();
  return name === 'base64' || name === 'quoted-printable' ? name : 'identity';
}

/**
 * Base64 in pieces of any length: 25 MB need not be in memory twice. What is not of the alphabet is passed over, and padding ends it,
 * as RFC 2045 §6.8 has it.
 */
class Base64Pieces {
  #rest = '';
  #isEnded = false;

  push(piece: Buffer): Buffer {
    if (this.#isEnded) return Buffer.alloc(0);
    const padding = piece.indexOf('=');
    const text = this.#rest + piece.toString('latin1', 0, padding === -1 ? piece.length : padding);
    const letters = text.replaceAll(/[^A-Za-z0-9+/]+/g, '');
    if (padding !== -1) {
      this.#isEnded = true;
      this.#rest = '';
      return Buffer.from(letters, 'base64');
    }
    const whole = letters.length - (letters.length % 4);
    this.#rest = letters.slice(whole);
    return Buffer.from(letters.slice(0, whole), 'base64');
  }

  end(): Buffer {
    const rest = this.#rest;
    this.#rest = '';
    return Buffer.from(rest, 'base64');
  }
}

/** The octets of a part that comes in pieces. Quoted-printable is decoded whole. */
export async function* decodePieces(
  encoding: TransferEncoding,
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  if (encoding === 'identity') {
    yield* pieces;
  } else if (encoding === 'quoted-printable') {
    const all: Buffer[] = [];
    for await (const piece of pieces) all.push(piece);
    yield decodeQuotedPrintable(Buffer.concat(all));
  } else {
    const base64 = new Base64Pieces();
    for await (const piece of pieces) yield base64.push(piece);
    yield base64.end();
  }
}

const pieceBytes = 1024 * 1024;

/** How many octets `decodePieces` gives for a part that is at hand. */
export function decodedLength(encoding: TransferEncoding, body: Buffer): number {
  if (encoding === 'identity') return body.length;
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(body).length;
  const base64 = new Base64Pieces();
  let length = 0;
  for (let at = 0; at < body.length; at += pieceBytes)
    length += base64.push(body.subarray(at, at + pieceBytes)).length;
  return length + base64.end().length;
}

/** A part that is at hand and small. */
export function decodeTransfer(encoding: TransferEncoding, body: Buffer): Buffer {
  if (encoding === 'identity') return body;
  if (encoding === 'quoted-printable') return decodeQuotedPrintable(body);
  const base64 = new Base64Pieces();
  return Buffer.concat([base64.push(body), base64.end()]);
}
