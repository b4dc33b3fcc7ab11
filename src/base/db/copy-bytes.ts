/** Longer content is sent without a copy; for shorter content a copy is cheaper than another write. */
const copiedBytes = 8 * 1024;
const chunkBytes = 32 * 1024;
/** Kept for reuse; a batch of small mail hardly ever needs more. */
const maxChunks = 16;
const empty = Buffer.alloc(0);
/** Type and length of a protocol message. */
const messageHeaderBytes = 5;
const copyData = 0x64;
const copyDone = 0x63;
/** Signature, no flags, no extension (PostgreSQL, "Binary Format" of COPY). */
const fileHeader = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const noMoreRows = -1;
const noValue = -1;
const dash = 0x2d;
const twoTo32 = 2 ** 32;
/** Epoch of PostgreSQL timestamps. */
const epochMs = Date.UTC(2000, 0, 1);

/** Encodes rows in the binary format of COPY, as protocol messages. */
export class CopyBytes {
  /** Buffers are reused: allocating them per batch kept the garbage collector busy. */
  readonly #memory: Buffer[] = [];
  #used = 0;
  #pieces: Buffer[] = [];
  #chunk: Buffer = empty;
  #at = 0;
  /** Bytes in `#pieces`. */
  #length = 0;

  /** The encoded bytes. They are overwritten by the next use. */
  take(): Buffer[] {
    this.#close();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#chunk = empty;
    this.#used = 0;
    this.#length = 0;
    return pieces;
  }

  /** The rows of one table, which `write` adds. */
  rows(write: () => void): void {
    this.#reserve(messageHeaderBytes + fileHeader.length);
    const [chunk, at, began] = [this.#chunk, this.#at, this.#length + this.#at];
    chunk[at] = copyData;
    this.#at += messageHeaderBytes;
    this.#at += fileHeader.copy(chunk, this.#at);
    write();
    this.#reserve(2 + messageHeaderBytes);
    this.#at = this.#chunk.writeInt16BE(noMoreRows, this.#at);
    // The kind of a message is not part of its length.
    chunk.writeInt32BE(this.#length + this.#at - began - 1, at + 1);
    this.#chunk[this.#at] = copyDone;
    this.#at = this.#chunk.writeInt32BE(4, this.#at + 1);
  }

  /** Rows that are in the text format of COPY already. */
  textRows(rows: Buffer): void {
    this.#reserve(messageHeaderBytes);
    this.#chunk[this.#at] = copyData;
    this.#at = this.#chunk.writeInt32BE(4 + rows.length, this.#at + 1);
    this.#close();
    this.#pieces.push(rows);
    this.#length += rows.length;
    this.#reserve(messageHeaderBytes);
    this.#chunk[this.#at] = copyDone;
    this.#at = this.#chunk.writeInt32BE(4, this.#at + 1);
  }

  row(columns: number): void {
    this.#reserve(2);
    this.#at = this.#chunk.writeInt16BE(columns, this.#at);
  }

  #null(): void {
    this.#reserve(4);
    this.#at = this.#chunk.writeInt32BE(noValue, this.#at);
  }

  boolean(value: boolean | null): void {
    if (value === null) return this.#null();
    this.#reserve(5);
    const at = this.#chunk.writeInt32BE(1, this.#at);
    this.#at = this.#chunk.writeUInt8(value ? 1 : 0, at);
  }

  smallint(value: number | null): void {
    if (value === null) return this.#null();
    this.#reserve(6);
    this.#at = this.#chunk.writeInt16BE(value, this.#chunk.writeInt32BE(2, this.#at));
  }

  integer(value: number | null): void {
    if (value === null) return this.#null();
    this.#reserve(8);
    this.#at = this.#chunk.writeInt32BE(value, this.#chunk.writeInt32BE(4, this.#at));
  }

  bigint(value: number | null): void {
    if (value === null) return this.#null();
    this.#reserve(12);
    const at = this.#chunk.writeInt32BE(8, this.#at);
    this.#at = this.#chunk.writeUInt32BE(
      value >>> 0,
      this.#chunk.writeInt32BE(Math.floor(value / twoTo32), at),
    );
  }

  timestamp(value: Date | null): void {
    if (value === null) return this.#null();
    this.bigint((value.getTime() - epochMs) * 1000);
  }

  uuid(text: string | null): void {
    if (text === null) return this.#null();
    this.#reserve(20);
    const chunk = this.#chunk;
    let at = chunk.writeInt32BE(16, this.#at);
    for (let index = 0; index < 36; index += 2) {
      if (text.charCodeAt(index) === dash) index += 1;
      chunk[at] = (digit(text.charCodeAt(index)) << 4) | digit(text.charCodeAt(index + 1));
      at += 1;
    }
    this.#at = at;
  }

  text(value: string | null): void {
    if (value === null) return this.#null();
    this.#reserve(4 + 3 * value.length);
    const length = this.#chunk.write(value, this.#at + 4, 'utf8');
    this.#at = this.#chunk.writeInt32BE(length, this.#at) + length;
  }

  json(value: unknown): void {
    if (value === null) return this.#null();
    const text = JSON.stringify(value);
    this.#reserve(5 + 3 * text.length);
    const length = this.#chunk.write(text, this.#at + 5, 'utf8');
    const at = this.#chunk.writeInt32BE(length + 1, this.#at);
    // The version of the format.
    this.#at = this.#chunk.writeUInt8(1, at) + length;
  }

  bytes(value: Buffer | null): void {
    if (value === null) return this.#null();
    const isCopied = value.length <= copiedBytes;
    this.#reserve(4 + (isCopied ? value.length : 0));
    this.#at = this.#chunk.writeInt32BE(value.length, this.#at);
    if (isCopied) {
      this.#at += value.copy(this.#chunk, this.#at);
      return;
    }
    this.#close();
    this.#pieces.push(value);
    this.#length += value.length;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#chunk.length) return;
    this.#close();
    this.#chunk = bytes > chunkBytes ? Buffer.allocUnsafeSlow(bytes) : this.#nextChunk();
  }

  #nextChunk(): Buffer {
    const known = this.#memory[this.#used];
    const chunk = known ?? Buffer.allocUnsafeSlow(chunkBytes);
    if (known === undefined && this.#memory.length < maxChunks) this.#memory.push(chunk);
    this.#used += 1;
    return chunk;
  }

  /** Ends the current piece. */
  #close(): void {
    if (this.#at > 0) this.#pieces.push(this.#chunk.subarray(0, this.#at));
    this.#length += this.#at;
    this.#chunk = this.#chunk.subarray(this.#at);
    this.#at = 0;
  }
}

/** Value of a lower-case hexadecimal digit. */
function digit(code: number): number {
  return code < 0x3a ? code - 0x30 : code - 0x57;
}
