import { hash, sign, type KeyObject } from 'node:crypto';
import { hashBody } from './hash-body.ts';
import { relaxField, selectFields } from './signed-fields.ts';

export type SigningRequest = (SignedBody | HashedBody) & {
  /** The header block with CRLF line ends and without the blank line after it; a string is sent as UTF-8. */
  header: Buffer | string;
  /** In A-labels, as `d=` has it (RFC 8616 §5 allows others, but not every verifier does). */
  domain: string;
  selector: string;
  /** An RSA or Ed25519 private key. Keep the object: to parse a PEM costs half as much as to sign. */
  key: KeyObject;
  now: Date;
  /** `x=`; none unless given. */
  expires_at?: Date | undefined;
  /** Further fields to sign where they occur, beside the usual ones. */
  headers?: readonly string[] | undefined;
};
interface SignedBody {
  body: Buffer | readonly Buffer[];
}
interface HashedBody {
  /** From `hashBody`. */
  body_hash: string;
}

/** RFC 8463 §3 signs a hash with Ed25519, where the key would take the octets themselves. */
const algorithms = { rsa: 'rsa-sha256', ed25519: 'ed25519-sha256' } as const;

/**
 * The whole `DKIM-Signature:` field for a message, folded and ended with CRLF, to be put before its header
 * (RFC 6376, `c=relaxed/simple`). Rejects when the key cannot sign: such a message must not go out unsigned.
 */
export async function signMessage(request: SigningRequest): Promise<string> {
  const { names, canonical } = selectFields(request.header, request.headers);
  const unsigned = signatureField(request, names);
  const signature = await signOctets(request.key, canonical + relaxField(unsigned));
  return `${unsigned}${wrapped(signature)}\r\n`;
}

/** Signs one octet for each character, in the thread pool: RSA-2048 takes milliseconds on some processors. */
export function signOctets(key: KeyObject, text: string): Promise<string> {
  const octets = Buffer.from(text, 'latin1');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const finish = (error: Error | null, signature: Buffer): void => {
    if (error) reject(error);
    else resolve(signature.toString('base64'));
  };
  if (key.asymmetricKeyType === 'ed25519') sign(null, hash('sha256', octets, 'buffer'), key, finish);
  else sign('sha256', octets, key, finish);
  return promise;
}

/** Everything up to and with `b=`. */
function signatureField(request: SigningRequest, names: readonly string[]): string {
  const { domain, selector, now, expires_at } = request;
  const bodyHash = 'body_hash' in request ? request.body_hash : hashBody(request.body);
  const expiry = expires_at === undefined ? '' : ` x=${seconds(expires_at)};`;
  return [
    `DKIM-Signature: v=1; a=${algorithmOf(request.key)}; c=relaxed/simple; t=${seconds(now)};${expiry}`,
    ` d=${plainName(domain)}; s=${plainName(selector)};`,
    ` h=${foldNames(names)};`,
    ` bh=${bodyHash};`,
    ' b=',
  ].join('\r\n');
}

function algorithmOf({ type, asymmetricKeyType }: KeyObject): string {
  if (type === 'private' && (asymmetricKeyType === 'rsa' || asymmetricKeyType === 'ed25519')) {
    return algorithms[asymmetricKeyType];
  }
  throw new TypeError(`no key to sign with: ${type} ${asymmetricKeyType ?? 'key'}`);
}

function plainName(name: string): string {
  if (!/^[\w-]+(?:\.[\w-]+)*$/.test(name)) throw new TypeError(`not a domain or selector: ${name}`);
  return name;
}

function seconds(date: Date): number {
  const time = Math.floor(date.getTime() / 1000);
  if (!(time >= 0)) throw new RangeError('a signature cannot have this time');
  return time;
}

/** The most columns to a line (RFC 5322 §2.1.1), less what stands before and after it. */
const namesWidth = 72;
const signatureWidth = 72;

function foldNames(names: readonly string[]): string {
  let folded = '';
  let column = 0;
  for (const name of names) {
    const separator = folded === '' ? '' : ':';
    const breaks = column + name.length > namesWidth;
    folded += breaks ? `${separator}\r\n ${name}` : `${separator}${name}`;
    column = breaks ? name.length + 1 : column + name.length + 1;
  }
  return folded;
}

function wrapped(signature: string): string {
  let lines = signature.slice(0, signatureWidth);
  for (let at = signatureWidth; at < signature.length; at += signatureWidth) {
    lines += `\r\n ${signature.slice(at, at + signatureWidth)}`;
  }
  return lines;
}
