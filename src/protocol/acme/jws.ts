import { createHash, createPublicKey, sign, type KeyObject } from 'node:crypto';

/** The header of a request to an ACME server: by its key until it has an account, by the account's URL then. */
export type Signer = { key: KeyObject } | { key: KeyObject; kid: string };

interface SignedRequest {
  nonce: string;
  url: string;
  /** Undefined: POST-as-GET. */
  payload: unknown;
}

/** A flattened JWS with ES256 (RFC 8555 §6.2, RFC 7518 §3.4). */
export function signRequest(signer: Signer, { nonce, url, payload }: SignedRequest): string {
  const who = 'kid' in signer ? { kid: signer.kid } : { jwk: publicJwk(signer.key) };
  const header = encode({ alg: 'ES256', nonce, url, ...who });
  const body = payload === undefined ? '' : encode(payload);
  const signature = sign('sha256', Buffer.from(`${header}.${body}`), {
    key: signer.key,
    dsaEncoding: 'ieee-p1363',
  });
  return JSON.stringify({ protected: header, payload: body, signature: signature.toString('base64url') });
}

/** Proves that the server of a name belongs to the account (RFC 8555 §8.1, thumbprint of RFC 7638). */
export function keyAuthorization(token: string, key: KeyObject): string {
  const { crv, kty, x, y } = publicJwk(key);
  const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return `${token}.${thumbprint}`;
}

function publicJwk(key: KeyObject): { crv?: string; kty?: string; x?: string; y?: string } {
  return createPublicKey(key).export({ format: 'jwk' });
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
