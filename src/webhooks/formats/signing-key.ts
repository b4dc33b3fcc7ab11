import { createECDH, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto';

const curve = 'prime256v1';
const coordinateBytes = 32;

/**
 * A pair of P-256 keys, made of the secret of a webhook: nothing more is stored, and rotating the secret rotates the pair. A
 * number that is not a private key of the curve, one in 4 billion, is followed by another.
 */
export function signingKeyOf(secret: KeyObject): KeyObject {
  for (let attempt = 0; ; attempt += 1) {
    const number = Buffer.from(
      hkdfSync('sha256', secret, '', `chasqui webhook ecdsa ${attempt}`, coordinateBytes),
    );
    const pair = createECDH(curve);
    try {
      pair.setPrivateKey(number);
    } catch {
      continue;
    }
    const point = pair.getPublicKey();
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      d: number.toString('base64url'),
      x: point.subarray(1, 1 + coordinateBytes).toString('base64url'),
      y: point.subarray(1 + coordinateBytes).toString('base64url'),
    };
    return createPrivateKey({ key: jwk, format: 'jwk' });
  }
}

/** As SendGrid shows it: SPKI in base64, to which its helpers add the frame of PEM. */
export function publicKeyText(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
}

/** ECDSA with SHA-256 over timestamp and body, DER in base64. */
export function signEcdsa(key: KeyObject, timestamp: number, body: string): string {
  return sign('sha256', Buffer.from(`${timestamp}${body}`), key).toString('base64');
}
