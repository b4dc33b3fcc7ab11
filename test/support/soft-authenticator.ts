import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

type Json = Record<string, unknown>;

interface Lies {
  origin?: string;
  rp_id?: string;
  challenge?: string;
  type?: string;
  is_verified?: boolean;
  counter?: number;
  key?: KeyObject;
  user_handle?: string;
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const encoded = (data: Buffer): string => data.toString('base64url');

/** An authenticator in memory (WebAuthn §6.1), which can lie. Attestation is `none`, keys are ES256. */
export class SoftAuthenticator {
  readonly id = randomBytes(32);
  readonly #origin: string;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #handle = '';
  /** Counted up at each use. */
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  create(options: Json, lies: Lies = {}): Json {
    const { rp, user, challenge } = options as { rp: Json; user: Json; challenge: string };
    this.#handle = String(user['id']);
    const jwk = this.#keys.publicKey.export({ format: 'jwk' });
    const [x, y] = [jwk.x, jwk.y].map((each) => Buffer.from(each ?? '', 'base64url'));
    const cose = cbor(
      new Map<unknown, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, x],
        [-3, y],
      ]),
    );
    const length = Buffer.from([0, this.id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, cose]);
    const authData = this.#data(lies.rp_id ?? String(rp['id']), { ...lies, credential });
    const attestation = cbor(
      new Map<unknown, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return this.#json({
      clientDataJSON: encoded(this.#clientData('webauthn.create', challenge, lies)),
      attestationObject: encoded(attestation),
      transports: ['internal'],
    });
  }

  get(options: Json, lies: Lies = {}): Json {
    const { rpId, challenge } = options as { rpId: string; challenge: string };
    this.counter += 1;
    const data = this.#data(lies.rp_id ?? rpId, lies);
    const clientData = this.#clientData('webauthn.get', challenge, lies);
    const signature = sign(
      'sha256',
      Buffer.concat([data, sha256(clientData)]),
      lies.key ?? this.#keys.privateKey,
    );
    return this.#json({
      clientDataJSON: encoded(clientData),
      authenticatorData: encoded(data),
      signature: encoded(signature),
      userHandle: lies.user_handle ?? this.#handle,
    });
  }

  #json(response: Json): Json {
    const id = encoded(this.id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string, lies: Lies): Buffer {
    const origin = lies.origin ?? this.#origin;
    return Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin,
        crossOrigin: false,
      }),
    );
  }

  #data(rpId: string, { credential, is_verified = true, counter }: Lies & { credential?: Buffer }): Buffer {
    const flags = 0x01 | (is_verified ? 0x04 : 0) | (credential ? 0x40 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? this.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, credential ?? Buffer.alloc(0)]);
  }
}

/** As much of RFC 8949 as an attestation needs. */
function cbor(value: unknown): Buffer {
  const head = (major: number, n: number): Buffer =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, entries.length), ...entries.flatMap((entry) => entry.map(cbor))]);
}
