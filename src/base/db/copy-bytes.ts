/** Longer content is sent without a copy; for shorter content a copy is cheaper than another write. */
const copied_bytes = 8 * 1024;
const chunk_bytes = 32 * 1024;
/** Kept for reuse; a batch of small mail hardly ever needs more. */
const max_chunks = 16;
const empty = Buffer.alloc(0);
/** Type and length of a protocol message. */
const message_header_bytes = 5;
const copy_data = 0x64;
const copy_done = 0x63;
/** Signature, no flags, no extension (PostgreSQL, "Binary Format" of COPY). */
const file_header = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const no_more_rows = -1;
const no_value = -1;
const dash = 0x2d;
const two_to_32 = 2 ** 32;
/** Epoch of PostgreSQL timestamps. */
const epoch_ms = Date.UTC(2000, 0, 1);

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
    this.#reserve(message_header_bytes + file_header.length);
    const [chunk, at, began] = [this.#chunk, this.#at, this.#length + this.#at];
    chunk[at] = copy_data;
    this.#at += message_header_bytes;
    this.#at += file_header.copy(chunk, this.#at);
    write();
    this.#reserve(2 + message_header_bytes);
    this.#at = this.#chunk.writeInt16BE(no_more_rows, this.#at);
    // The kind of a message is not part of its length.
    chunk.writeInt32BE(this.#length + this.#at - began - 1, at + 1);
    this.#chunk[this.#at] = copy_done;
    this.#at = this.#chunk.writeInt32BE(4, this.#at + 1);
  }

  /** Rows that are in the text format of COPY already. */
  textRows(rows: Buffer): void {
    this.#reserve(message_header_bytes);
    this.#chunk[this.#at] = copy_data;
    this.#at = this.#chunk.writeInt32BE(4 + rows.length, this.#at + 1);
    this.#close();
    this.#pieces.push(rows);
    this.#length += rows.length;
    this.#reserve(message_header_bytes);
    this.#chunk[this.#at] = copy_done;
    this.#at = this.#chunk.writeInt32BE(4, this.#at + 1);
  }

  row(columns: number): void {
    this.#reserve(2);
    this.#at = this.#chunk.writeInt16BE(columns, this.#at);
  }

  #null(): void {
    this.#reserve(4);
    this.#at = this.#chunk.writeInt32BE(no_value, this.#at);
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
      this.#chunk.writeInt32BE(Math.floor(value / two_to_32), at),
    );
  }

  timestamp(value: Date | null): void {
    if (value === null) return this.#null();
    this.bigint((value.getTime() - epoch_ms) * 1000);
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
    const isCopied = value.length <= copied_bytes;
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
    this.#chunk = bytes > chunk_bytes ? Buffer.allocUnsafeSlow(bytes) : this.#nextChunk();
  }

  #nextChunk(): Buffer {
    const known = this.#memory[this.#used];
    const chunk = known ?? Buffer.allocUnsafeSlow(chunk_bytes);
    if (known === undefined && this.#memory.length < max_chunks) this.#memory.push(chunk);
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
