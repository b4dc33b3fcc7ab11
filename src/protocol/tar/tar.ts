/** Headers and contents fill blocks of this size (POSIX.1-2017, pax, "ustar Interchange Format"). */
export const blockBytes = 512;
/** What a size of eleven octal digits can say. */
export const maxMemberBytes = 8 ** 11 - 1;

const nameBytes = 100;
const checksumAt = 148;
const regularFile = 0x30;

export interface TarMember {
  name: string;
  size: number;
}

export function tarHeader({ name, size }: TarMember, modified: Date): Buffer {
  if (Buffer.byteLength(name) > nameBytes || size > maxMemberBytes) {
    throw new RangeError(`${name} does not fit into a tar archive.`);
  }
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, length: number): void =>
    void block.write(value.toString(8).padStart(length - 1, '0'), at);
  block.write(name, 0);
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(Math.floor(modified.getTime() / 1000), 136, 12);
  block[156] = regularFile;
  block.write('ustar\u000000', 257);
  block.write(checksumField(block), checksumAt);
  return block;
}

/** Undefined for a block of zeros, two of which end an archive; throws for an invalid file header. */
export function parseTarHeader(block: Buffer): TarMember | undefined {
  if (isZero(block)) return undefined;
  const text = (at: number, length: number): string =>
    block.toString('utf8', at, at + length).replace(/\0.*$/s, '');
  const octal = (at: number, length: number): number => Number.parseInt(text(at, length).trim(), 8);
  const size = octal(124, 12);
  const isFile = block[156] === regularFile && text(257, 6) === 'ustar';
  const isIntact = block.toString('latin1', checksumAt, checksumAt + 8) === checksumField(block);
  if (!isFile || !isIntact || !Number.isSafeInteger(size)) {
    throw new Error('This is not the header of a file in a tar archive.');
  }
  return { name: text(0, nameBytes), size };
}

export function isZero(block: Buffer): boolean {
  return block.every((byte) => byte === 0);
}

/** Bytes from the end of a content to the next block. */
export function paddingOf(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes;
}

/** The sum of all bytes, with spaces in place of the checksum itself, as tar writes it. */
function checksumField(block: Buffer): string {
  let sum = 8 * 0x20;
  for (let at = 0; at < blockBytes; at += 1) {
    if (at < checksumAt || at >= checksumAt + 8) sum += block[at] ?? 0;
  }
  return `${sum.toString(8).padStart(6, '0')}\0 `;
}
