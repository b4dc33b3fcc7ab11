import { createPublicKey, sign, type KeyObject } from 'node:crypto';
import { alternativeName } from './alternative-names.ts';
import { bitString, integer, objectIdentifier, octetString, sequence, tagged } from './der.ts';

// RFC 5758 section 3.2, RFC 2985 section 5.4.2, RFC 5280 section 4.2.1.6.
const ecdsaWithSha256 = '1.2.840.10045.4.3.2';
const extensionRequest = '1.2.840.113549.1.9.14';
const subjectAltName = '2.5.29.17';

/** A certification request (RFC 2986) in DER for the names, with no subject, signed by an EC key. */
export function certificateRequest(names: readonly string[], key: KeyObject): Buffer {
  const alternatives = sequence(
    objectIdentifier(subjectAltName),
    octetString(sequence(...names.map(alternativeName))),
  );
  const attribute = sequence(objectIdentifier(extensionRequest), tagged(0x31, sequence(alternatives)));
  const info = sequence(
    integer(Buffer.from([0])),
    sequence(),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    tagged(0xa0, attribute),
  );
  return sequence(info, sequence(objectIdentifier(ecdsaWithSha256)), bitString(sign('sha256', info, key)));
}
