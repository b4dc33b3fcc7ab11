/** DER (X.690): each value is a tag, its length, and its bytes. */
export function tagged(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content]);
}

function lengthOf(content: Buffer): Buffer {
  if (content.length < 0x80) return Buffer.from([content.length]);
  const hex = content.length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

export function sequence(...items: Buffer[]): Buffer {
  return tagged(0x30, ...items);
}

export function octetString(bytes: Buffer): Buffer {
  return tagged(0x04, bytes);
}

export function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.from([0]), bytes);
}

/** An unsigned number: no needless leading zeros, but one where the first bit would read as a minus. */
export function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const shortest = first === -1 ? Buffer.from([0]) : bytes.subarray(first);
  const padding = (shortest[0] ?? 0) >= 0x80 ? Buffer.from([0]) : Buffer.alloc(0);
  return tagged(0x02, padding, shortest);
}

export function objectIdentifier(dotted: string): Buffer {
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
export function time(date: Date): Buffer {
  const digits = date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:T]/g, '');
  if (date.getUTCFullYear() >= 2050) return tagged(0x18, Buffer.from(digits));
  return tagged(0x17, Buffer.from(digits.slice(2)));
}

export function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
