import { createHash, timingSafeEqual } from 'node:crypto';
import { decodeCbor } from './cbor.ts';
import { isSignedBy, readCoseKey } from './cose-key.ts';

/** What an answer has to be about. */
export interface Expected {
  challenge: string;
  origin: string;
  rp_id: string;
  /** Whether the authenticator has to have verified its owner. */
  must_verify: boolean;
}

export interface Registered {
  credential_id: Buffer;
  /** COSE key. */
  public_key: Buffer;
  sign_count: number;
  is_backed_up: boolean;
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const flag = { present: 0x01, verified: 0x04, can_back_up: 0x08, backed_up: 0x10, credential: 0x40 } as const;
const headerBytes = 37;
const maxCredentialId = 1_023;

/** The challenge that an answer says it answers; empty for text that is not client data. */
export function challengeOf(client_data: Buffer): string {
  const challenge = readClientData(client_data)?.['challenge'];
  return typeof challenge === 'string' ? challenge : '';
}

/**
 * WebAuthn Level 3 §7.1, without attestation: which authenticator it is does not matter to us. Undefined for what must be
 * refused.
 */
export function verifyRegistration(
  answer: { client_data: Buffer; attestation_object: Buffer },
  expected: Expected,
): Registered | undefined {
  if (!isExpected(answer.client_data, 'webauthn.create', expected)) return undefined;
  const attestation = decodeCbor(answer.attestation_object)?.value;
  const data = attestation instanceof Map ? attestation.get('authData') : undefined;
  if (!Buffer.isBuffer(data)) return undefined;
  const head = readHead(data, expected);
  if (!head || (head.flags & flag.credential) === 0 || data.length < headerBytes + 18) return undefined;
  const begin = headerBytes + 18;
  const length = data.readUInt16BE(begin - 2);
  const credential_id = data.subarray(begin, begin + length);
  if (length === 0 || length > maxCredentialId || credential_id.length !== length) return undefined;
  const rest = data.subarray(begin + length);
  const public_key = rest.subarray(0, decodeCbor(rest)?.end ?? 0);
  if (!readCoseKey(public_key)) return undefined;
  const { sign_count, is_backed_up } = head;
  return { credential_id, public_key, sign_count, is_backed_up };
}

/** WebAuthn Level 3 §7.2. A counter that does not go up is one of a copied key (§6.1.1). */
export function verifyAssertion(
  answer: { client_data: Buffer; authenticator_data: Buffer; signature: Buffer },
  known: { public_key: Buffer; sign_count: number },
  expected: Expected,
): { sign_count: number; is_backed_up: boolean } | undefined {
  if (!isExpected(answer.client_data, 'webauthn.get', expected)) return undefined;
  const head = readHead(answer.authenticator_data, expected);
  const key = readCoseKey(known.public_key);
  if (!head || !key) return undefined;
  const signed = Buffer.concat([answer.authenticator_data, sha256(answer.client_data)]);
  if (!isSignedBy(key, signed, answer.signature)) return undefined;
  const { sign_count, is_backed_up } = head;
  const counts = sign_count > 0 || known.sign_count > 0;
  return counts && sign_count <= known.sign_count ? undefined : { sign_count, is_backed_up };
}

function isExpected(client_data: Buffer, type: string, { challenge, origin }: Expected): boolean {
  const data = readClientData(client_data);
  // `crossOrigin`: it was asked for in a frame of another site.
  return (
    data !== undefined &&
    data['type'] === type &&
    data['challenge'] === challenge &&
    data['origin'] === origin &&
    data['crossOrigin'] !== true
  );
}

function readClientData(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const data: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

interface Head {
  flags: number;
  sign_count: number;
  is_backed_up: boolean;
}

/** §6.1: hash of the relying party, flags, counter. */
function readHead(data: Buffer, { rp_id, must_verify }: Expected): Head | undefined {
  if (data.length < headerBytes || !timingSafeEqual(data.subarray(0, 32), sha256(rp_id))) return undefined;
  const flags = data.readUInt8(32);
  const is_backed_up = (flags & flag.backed_up) !== 0;
  if ((flags & flag.present) === 0) return undefined;
  if (must_verify && (flags & flag.verified) === 0) return undefined;
  if (is_backed_up && (flags & flag.can_back_up) === 0) return undefined;
  return { flags, sign_count: data.readUInt32BE(33), is_backed_up };
}
