import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { decodeCbor, type CborValue } from './cbor.ts';

/** EdDSA, ES256 and RS256 (RFC 9053 §2, RFC 8812 §2), which every authenticator has one of. */
export const coseAlgorithms = [-8, -7, -257] as const;

interface CoseKey {
  key: KeyObject;
  hash: 'sha256' | null;
}

/** A public key of RFC 9052 §7, of one of our algorithms. */
export function readCoseKey(bytes: Buffer): CoseKey | undefined {
  const decoded = decodeCbor(bytes);
  if (!decoded || decoded.end !== bytes.length || !(decoded.value instanceof Map)) return undefined;
  const jwk = jwkOf(decoded.value);
  if (!jwk) return undefined;
  try {
    // A point that is not on its curve is refused here.
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return { key, hash: jwk['kty'] === 'OKP' ? null : 'sha256' };
  } catch {
    return undefined;
  }
}

export function isSignedBy({ key, hash }: CoseKey, data: Buffer, signature: Buffer): boolean {
  return verify(hash, data, key, signature);
}

function jwkOf(map: Map<CborValue, CborValue>): Record<string, string> | undefined {
  const part = (label: number, longest: number): string | undefined => {
    const value = map.get(label);
    return Buffer.isBuffer(value) && value.length <= longest ? value.toString('base64url') : undefined;
  };
  const [kty, alg, crv] = [map.get(1), map.get(3), map.get(-1)];
  const [first, second] = [part(-1, 1_024) ?? part(-2, 64), part(-3, 64)];
  if (kty === 1 && alg === -8 && crv === 6 && first) return { kty: 'OKP', crv: 'Ed25519', x: first };
  if (kty === 2 && alg === -7 && crv === 1 && first && second)
    return { kty: 'EC', crv: 'P-256', x: first, y: second };
  const exponent = part(-2, 8);
  if (kty === 3 && alg === -257 && first && exponent) return { kty: 'RSA', n: first, e: exponent };
  return undefined;
}
