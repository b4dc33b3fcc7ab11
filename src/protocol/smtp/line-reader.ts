const crByte = 13;
const lfByte = 10;
// Parts of an unfinished line are joined from time to time, so that single bytes do not each cost an object.
const maxParts = 64;

/**
 * Takes bytes as they arrive and gives them back as lines, or raw while a message is read. Of a line longer than the
 * bound just enough is kept to tell that it is; the rest is thrown away as it arrives.
 */
export class LineReader {
  readonly #maxLine: number;
  #chunks: Buffer[] = [];
  /** Bytes of the first chunk that were returned. */
  #read = 0;
  #waiting = 0;
  #parts: Buffer[] = [];
  #partsLength = 0;

  constructor(maxLineBytes: number) {
    this.#maxLine = maxLineBytes;
  }

  /** Bytes not yet returned, including the beginning of an unfinished line. */
  get buffered(): number {
    return this.#waiting + this.#partsLength;
  }

  /** Number of buffered chunks: small ones cost more than their bytes. */
  get chunks(): number {
    return this.#chunks.length;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
  }

  clear(): void {
    this.#chunks = [];
    this.#read = 0;
    this.#waiting = 0;
    this.#parts = [];
    this.#partsLength = 0;
  }

  /** The next whole line without its CRLF; a line that ended with a bare LF keeps it, which makes it invalid. */
  nextLine(): Buffer | undefined {
    for (;;) {
      const [chunk] = this.#chunks;
      if (chunk === undefined) return undefined;
      const lf = chunk.indexOf(lfByte, this.#read);
      const part = chunk.subarray(this.#read, lf === -1 ? chunk.length : lf + 1);
      this.#pass(part.length);
      if (lf === -1) {
        this.#keep(part);
        continue;
      }
      if (this.#partsLength === 0) return withoutLineEnd(part);
      this.#keep(part);
      const line = Buffer.concat(this.#parts);
      this.#parts = [];
      this.#partsLength = 0;
      return withoutLineEnd(line);
    }
  }

  /** What is left of the chunk that is next. */
  nextChunk(): Buffer | undefined {
    const [chunk] = this.#chunks;
    if (chunk === undefined) return undefined;
    const left = this.#read === 0 ? chunk : chunk.subarray(this.#read);
    this.#pass(left.length);
    return left;
  }

  /** Puts back the end of the last chunk. */
  putBack(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#chunks.unshift(chunk);
    this.#waiting += chunk.length;
  }

  #pass(bytes: number): void {
    this.#waiting -= bytes;
    this.#read += bytes;
    if (this.#read < (this.#chunks[0]?.length ?? 0)) return;
    this.#chunks.shift();
    this.#read = 0;
  }

  #keep(part: Buffer): void {
    // Room for the line end, and for the one byte by which a line is known to be too long.
    const room = this.#maxLine + 3 - this.#partsLength;
    const kept = part.length > room ? part.subarray(0, room) : part;
    if (kept.length === 0) return;
    this.#parts.push(kept);
    this.#partsLength += kept.length;
    if (this.#parts.length > maxParts) this.#parts = [Buffer.concat(this.#parts)];
  }
}

function withoutLineEnd(line: Buffer): Buffer {
  const last = line.length - 1;
  return line[last] === lfByte && line[last - 1] === crByte ? line.subarray(0, last - 1) : line;
}
