import { constants, crc32, createDeflateRaw } from 'node:zlib';

/** One file of an archive. Content that is not given whole is read while it is written. */
export interface ZipFile {
  name: string;
  content: Buffer | AsyncIterable<Buffer>;
}

/** What 32 bits hold. A file may not be larger; the archive itself may (ZIP64, APPNOTE.TXT 4.3.14). */
const max32 = 0xffffffff;
const max16 = 0xffff;
const deflated = 8;
/** The sizes follow the content, and the name is UTF-8 (APPNOTE.TXT 4.4.4). */
const flags = (1 << 3) | (1 << 11);
const version = 20;
const version64 = 45;

interface Written {
  /** Not as a buffer, which would keep the whole slab of memory that it was cut from: 36 KB for each file of 3. */
  name: string;
  crc: number;
  size: number;
  compressed: number;
  offset: number;
}

/** A ZIP archive as a stream. Memory holds one piece of one file, and a few bytes for each file that was written. */
export async function* zipStream(files: AsyncIterable<ZipFile>, modified: Date): AsyncGenerator<Buffer> {
  const deflater = new Deflater();
  try {
    yield* archive(files, { stamp: dosTime(modified), deflater });
  } finally {
    deflater.destroy();
  }
}

async function* archive(
  files: AsyncIterable<ZipFile>,
  { stamp, deflater }: { stamp: number; deflater: Deflater },
): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let offset = 0;
  for await (const { name, content } of files) {
    const file: Written = { name, crc: 0, size: 0, compressed: 0, offset };
    const head = localHeader(file, stamp);
    yield head;
    for await (const piece of deflater.deflate(content, file)) {
      file.compressed += piece.length;
      yield piece;
    }
    if (file.size > max32 || file.compressed > max32) throw new RangeError(`${name} is larger than 4 GiB.`);
    yield descriptor(file);
    written.push(file);
    offset += head.length + file.compressed + descriptorBytes;
  }
  let length = 0;
  for (const file of written) {
    const entry = centralEntry(file, stamp);
    length += entry.length;
    yield entry;
  }
  yield endOfArchive({ count: written.length, offset, length });
}

/** One for all files of an archive: a new one for each of ten thousand small files left 220 MB of buffers to be collected. */
class Deflater {
  readonly #zlib = createDeflateRaw();
  #output: Buffer[] = [];

  constructor() {
    this.#zlib.on('data', (piece: Buffer) => this.#output.push(piece));
    // The reader of the chunk gets the error; without a listener it would end the process.
    this.#zlib.on('error', () => undefined);
  }

  /** What there is of it after each piece, so that no more than that is held. */
  async *deflate(content: ZipFile['content'], file: Written): AsyncGenerator<Buffer> {
    for await (const piece of Buffer.isBuffer(content) ? [content] : content) {
      file.crc = crc32(piece, file.crc);
      file.size += piece.length;
      await this.#done((done) => this.#zlib.write(piece, done));
      yield* this.#taken();
    }
    await this.#done((done) => this.#zlib.flush(constants.Z_FINISH, done));
    yield* this.#taken();
    this.#zlib.reset();
  }

  destroy(): void {
    this.#zlib.destroy();
  }

  async #done(work: (done: (error?: Error | null) => void) => void): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      work((error) => (error ? reject(error) : resolve()));
    });
  }

  #taken(): Buffer[] {
    for (let piece; (piece = this.#zlib.read() as Buffer | null) !== null;) this.#output.push(piece);
    const pieces = this.#output;
    this.#output = [];
    return pieces;
  }
}

/** Seconds in pairs, since 1980 (APPNOTE.TXT 4.4.6). */
function dosTime(at: Date): number {
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return date * 2 ** 16 + time;
}

function localHeader({ name: text }: Written, stamp: number): Buffer {
  const name = Buffer.from(text);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(version, 4);
  head.writeUInt16LE(flags, 6);
  head.writeUInt16LE(deflated, 8);
  head.writeUInt32LE(stamp, 10);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, name]);
}

const descriptorBytes = 16;

function descriptor({ crc, compressed, size }: Written): Buffer {
  const block = Buffer.alloc(descriptorBytes);
  block.writeUInt32LE(0x08074b50, 0);
  block.writeUInt32LE(crc, 4);
  block.writeUInt32LE(compressed, 8);
  block.writeUInt32LE(size, 12);
  return block;
}

function centralEntry({ name: text, crc, size, compressed, offset }: Written, stamp: number): Buffer {
  const name = Buffer.from(text);
  const is64 = offset > max32;
  const extra = Buffer.alloc(is64 ? 12 : 0);
  if (is64) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(offset), 4);
  }
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(is64 ? version64 : version, 4);
  entry.writeUInt16LE(is64 ? version64 : version, 6);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt16LE(deflated, 10);
  entry.writeUInt32LE(stamp, 12);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(compressed, 20);
  entry.writeUInt32LE(size, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(extra.length, 30);
  entry.writeUInt32LE(Math.min(offset, max32), 42);
  return Buffer.concat([entry, name, extra]);
}

interface Directory {
  count: number;
  offset: number;
  length: number;
}

export function endOfArchive({ count, offset, length }: Directory): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, max16), 8);
  end.writeUInt16LE(Math.min(count, max16), 10);
  end.writeUInt32LE(Math.min(length, max32), 12);
  end.writeUInt32LE(Math.min(offset, max32), 16);
  const fits = count < max16 && length < max32 && offset < max32;
  return fits ? end : Buffer.concat([end64({ count, offset, length }), end]);
}

/** The ZIP64 end of the directory and its locator (APPNOTE.TXT 4.3.14, 4.3.15). */
function end64({ count, offset, length }: Directory): Buffer {
  const block = Buffer.alloc(76);
  block.writeUInt32LE(0x06064b50, 0);
  block.writeBigUInt64LE(44n, 4);
  block.writeUInt16LE(version64, 12);
  block.writeUInt16LE(version64, 14);
  block.writeBigUInt64LE(BigInt(count), 24);
  block.writeBigUInt64LE(BigInt(count), 32);
  block.writeBigUInt64LE(BigInt(length), 40);
  block.writeBigUInt64LE(BigInt(offset), 48);
  block.writeUInt32LE(0x07064b50, 56);
  block.writeBigUInt64LE(BigInt(offset + length), 64);
  block.writeUInt32LE(1, 72);
  return block;
}
