import { createPublicKey, verify, type KeyObject } from 'node:crypto';

interface Der {
  tag: number;
  /** Tag and length included. */
  whole: Buffer;
  content: Buffer;
}

/** The values that follow each other in DER (X.690). */
function read(bytes: Buffer): Der[] {
  const values: Der[] = [];
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at + 1] ?? 0;
    const size = first < 0x80 ? 0 : first & 0x7f;
    const length = size === 0 ? first : bytes.readUIntBE(at + 2, size);
    const start = at + 2 + size;
    const whole = bytes.subarray(at, start + length);
    values.push({ tag: bytes[at] ?? 0, whole, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return values;
}

const inside = (der: Der | undefined): Der[] => read(der?.content ?? Buffer.alloc(0));

const extensionRequest = '2a864886f70d01090e';
const subjectAltName = '551d11';

/** A certification request (RFC 2986): its key, which must have signed it, and the DNS names it asks for. */
export function readCsr(bytes: Buffer): { key: KeyObject; names: string[] } {
  const [info, , signature] = inside(read(bytes)[0]);
  const [, , spki, attributes] = inside(info);
  const key = createPublicKey({ key: spki?.whole ?? Buffer.alloc(0), format: 'der', type: 'spki' });
  // The first byte of a BIT STRING counts unused bits.
  if (
    !verify('sha256', info?.whole ?? Buffer.alloc(0), key, signature?.content.subarray(1) ?? Buffer.alloc(0))
  )
    throw new Error('the signature of the request is wrong');
  const named = (values: Der[], oid: string): Der | undefined =>
    values.map(inside).find(([id]) => id?.content.toString('hex') === oid)?.[1];
  const [extensions] = inside(named(inside(attributes), extensionRequest));
  const [names] = inside(named(inside(extensions), subjectAltName));
  return {
    key,
    names: inside(names)
      .filter(({ tag }) => tag === 0x82)
      .map(({ content }) => content.toString('ascii')),
  };
}
