import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';

export interface CertificateRequest {
  /** DNS names and IP addresses the certificate is good for; the first is also its common name. */
  names: readonly [string, ...string[]];
  valid_from: Date;
  valid_days?: number;
  /** Who signs it; itself unless said. */
  issuer?: SelfSignedCertificate;
  /** Whether it may sign others. */
  is_authority?: boolean;
}

/** Both in PEM, ready for the `key` and `cert` options of node:tls. */
export interface SelfSignedCertificate {
  key: string;
  cert: string;
}

const DAY_MS = 86_400_000;

// Identifiers as dotted numbers: RFC 5758 section 3.2, RFC 5280 section 4.2.1 and appendix A.
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const SUBJECT_KEY_IDENTIFIER = '2.5.29.14';
const SUBJECT_ALT_NAME = '2.5.29.17';
const BASIC_CONSTRAINTS = '2.5.29.19';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';

/** Makes a new P-256 key and a TLS server certificate (RFC 5280), signed by that same key unless there is an issuer. */
export function selfSignedCertificate(request: CertificateRequest): SelfSignedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectIdentifier(ECDSA_WITH_SHA256));
  const toBeSigned = certificateBody({
    request,
    algorithm,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
  });
  const certificate = sequence(
    toBeSigned,
    algorithm,
    bitString(sign('sha256', toBeSigned, request.issuer?.key ?? privateKey)),
  );
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem('CERTIFICATE', certificate),
  };
}

interface BodyParts {
  request: CertificateRequest;
  algorithm: Buffer;
  publicKey: Buffer;
}

function certificateBody({ request, algorithm, publicKey }: BodyParts): Buffer {
  const { names, valid_from, valid_days = 365 } = request;
  const validTo = new Date(valid_from.getTime() + valid_days * DAY_MS);
  const name = nameOf(asciiName(names[0]));
  const issuer = request.issuer && new X509Certificate(request.issuer.cert).subject.replace(/^CN=/, '');
  return sequence(
    tagged(0xa0, integer(Buffer.from([2]))), // version 3, the one with extensions
    integer(randomBytes(16)),
    algorithm,
    issuer === undefined ? name : nameOf(issuer),
    sequence(time(valid_from), time(validTo)),
    name, // subject
    publicKey,
    tagged(0xa3, sequence(...extensions(request, publicKey))),
  );
}

/** A common name has at most 64 characters (ub-common-name); clients go by the alternative names anyway. */
function nameOf(commonName: string): Buffer {
  const text = tagged(0x0c, Buffer.from(commonName.slice(0, 64)));
  return sequence(tagged(0x31, sequence(objectIdentifier(COMMON_NAME), text)));
}

// No key usage: without the right to sign certificates OpenSSL does not take this one as its own issuer,
// and with it the certificate would have to call itself an authority (RFC 5280 section 4.2.1.9).
function extensions({ names, is_authority = false }: CertificateRequest, publicKey: Buffer): Buffer[] {
  const constraints = is_authority ? sequence(tagged(0x01, Buffer.from([0xff]))) : sequence();
  const critical = tagged(0x01, Buffer.from([0xff]));
  const keyIdentifier = createHash('sha256').update(publicKey).digest().subarray(0, 20);
  return [
    sequence(objectIdentifier(BASIC_CONSTRAINTS), critical, octetString(constraints)),
    sequence(objectIdentifier(EXTENDED_KEY_USAGE), octetString(sequence(objectIdentifier(SERVER_AUTH)))),
    sequence(objectIdentifier(SUBJECT_KEY_IDENTIFIER), octetString(octetString(keyIdentifier))),
    sequence(objectIdentifier(SUBJECT_ALT_NAME), octetString(sequence(...names.map(alternativeName)))),
  ];
}

function alternativeName(name: string): Buffer {
  if (isIP(name) === 0) return tagged(0x82, Buffer.from(asciiName(name), 'ascii'));
  return tagged(0x87, addressBytes(name));
}

function asciiName(name: string): string {
  if (isIP(name) !== 0) return name;
  const ascii = domainToASCII(name);
  if (ascii === '') throw new RangeError(`not a host name: ${name}`);
  return ascii;
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // A URL writes every IPv6 address in one form: hexadecimal groups, at most one '::', no dotted end.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = groups(head);
  const after = groups(tail ?? '');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0000');
  return Buffer.from([...before, ...zeros, ...after].join(''), 'hex');
}

function groups(text: string): string[] {
  return text === '' ? [] : text.split(':').map((group) => group.padStart(4, '0'));
}

// DER (X.690): each value is a tag, its length, and its bytes.

function tagged(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content]);
}

function lengthOf(content: Buffer): Buffer {
  if (content.length < 0x80) return Buffer.from([content.length]);
  const hex = content.length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

function sequence(...items: Buffer[]): Buffer {
  return tagged(0x30, ...items);
}

function octetString(bytes: Buffer): Buffer {
  return tagged(0x04, bytes);
}

function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.from([0]), bytes);
}

/** An unsigned number: no needless leading zeros, but one where the first bit would read as a minus. */
function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const shortest = first === -1 ? Buffer.from([0]) : bytes.subarray(first);
  const padding = (shortest[0] ?? 0) >= 0x80 ? Buffer.from([0]) : Buffer.alloc(0);
  return tagged(0x02, padding, shortest);
}

function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(arc: number): number[] {
  const digits = [arc % 128];
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) {
    digits.unshift(0x80 | (left % 128));
  }
  return digits;
}

/** RFC 5280 section 4.1.2.5: two-digit years through 2049, four digits from 2050 on. */
function time(date: Date): Buffer {
  const digits = date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:T]/g, '');
  if (date.getUTCFullYear() >= 2050) return tagged(0x18, Buffer.from(digits));
  return tagged(0x17, Buffer.from(digits.slice(2)));
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
