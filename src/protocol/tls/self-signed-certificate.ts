import {
  createHash,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';
import { alternativeName, asciiName } from './alternative-names.ts';
import { bitString, integer, objectIdentifier, octetString, pem, sequence, tagged, time } from './der.ts';

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

const dayMs = 86_400_000;

// Identifiers as dotted numbers: RFC 5758 section 3.2, RFC 5280 section 4.2.1 and appendix A.
const ecdsaWithSha256 = '1.2.840.10045.4.3.2';
const commonNameOid = '2.5.4.3';
const subjectKeyIdentifier = '2.5.29.14';
const subjectAltName = '2.5.29.17';
const basicConstraints = '2.5.29.19';
const extendedKeyUsage = '2.5.29.37';
const serverAuth = '1.3.6.1.5.5.7.3.1';

/** Makes a new P-256 key and a TLS server certificate (RFC 5280), signed by that same key unless there is an issuer. */
export function selfSignedCertificate(request: CertificateRequest): SelfSignedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { key, cert: certify(request, publicKey, request.issuer?.key ?? key) };
}

/** A certificate in PEM for a given key, signed with an EC key. */
export function certify(request: CertificateRequest, subject: KeyObject, signingKey: string): string {
  const algorithm = sequence(objectIdentifier(ecdsaWithSha256));
  const publicKey = subject.export({ type: 'spki', format: 'der' });
  const toBeSigned = certificateBody({ request, algorithm, publicKey });
  return pem(
    'CERTIFICATE',
    sequence(toBeSigned, algorithm, bitString(sign('sha256', toBeSigned, signingKey))),
  );
}

interface BodyParts {
  request: CertificateRequest;
  algorithm: Buffer;
  publicKey: Buffer;
}

function certificateBody({ request, algorithm, publicKey }: BodyParts): Buffer {
  const { names, valid_from, valid_days = 365 } = request;
  const validTo = new Date(valid_from.getTime() + valid_days * dayMs);
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
  return sequence(tagged(0x31, sequence(objectIdentifier(commonNameOid), text)));
}

// No key usage: without the right to sign certificates OpenSSL does not take this one as its own issuer,
// and with it the certificate would have to call itself an authority (RFC 5280 section 4.2.1.9).
function extensions({ names, is_authority = false }: CertificateRequest, publicKey: Buffer): Buffer[] {
  const constraints = is_authority ? sequence(tagged(0x01, Buffer.from([0xff]))) : sequence();
  const critical = tagged(0x01, Buffer.from([0xff]));
  const keyIdentifier = createHash('sha256').update(publicKey).digest().subarray(0, 20);
  return [
    sequence(objectIdentifier(basicConstraints), critical, octetString(constraints)),
    sequence(objectIdentifier(extendedKeyUsage), octetString(sequence(objectIdentifier(serverAuth)))),
    sequence(objectIdentifier(subjectKeyIdentifier), octetString(octetString(keyIdentifier))),
    sequence(objectIdentifier(subjectAltName), octetString(sequence(...names.map(alternativeName)))),
  ];
}
