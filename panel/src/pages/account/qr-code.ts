import { encode } from 'uqr';

/**
 * Rows of modules; true is dark. Throws for a text of more than 666 bytes. The choice between masks helps poor prints,
 * not screens, so it is always the first.
 */
export function qrCode(text: string): boolean[][] {
  return encode(text, { ecc: 'M', border: 0, maskPattern: 0, maxVersion: 20 }).data;
}
