import { createHash } from 'node:crypto';

/** The first half of a SHA-256, written as a UUID: 16 bytes in the database, and no text of the caller's. */
export function digestOf(...pieces: (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  const hex = hash.digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
