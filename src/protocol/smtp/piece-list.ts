// Blocks double from the first to the largest, so that a short message holds little more than itself.
const firstBlock = 1024;
const largestBlock = 16_384;
// A Buffer costs some 150 bytes whatever it holds: shorter pieces are copied together, longer ones kept as they are.
const small = 512;

/** The pieces as one. They are let go of, else the message would be in memory twice until it is answered. */
export function joinPieces(pieces: Buffer[]): Buffer {
  const whole = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  pieces.length = 0;
  return whole;
}

/** Gathers bytes as a list of Buffers: no byte is copied twice, and single bytes do not each cost an object. */
export class PieceList {
  #pieces: Buffer[] = [];
  #block: Buffer | undefined;
  #blockSize = firstBlock;
  #from = 0;
  #to = 0;

  add(piece: Buffer): void {
    if (piece.length === 0) return;
    if (piece.length >= small) {
      this.#closeBlock();
      this.#pieces.push(piece);
      return;
    }
    if (this.#block === undefined || this.#to + piece.length > this.#block.length) {
      this.#closeBlock();
      this.#block = Buffer.allocUnsafeSlow(this.#blockSize);
      this.#blockSize = Math.min(this.#blockSize * 2, largestBlock);
      this.#from = 0;
      this.#to = 0;
    }
    this.#to += piece.copy(this.#block, this.#to);
  }

  /** All so far; the list is empty afterwards. */
  take(): Buffer[] {
    this.#closeBlock();
    const pieces = this.#pieces;
    this.clear();
    return pieces;
  }

  clear(): void {
    this.#pieces = [];
    this.#block = undefined;
    this.#from = 0;
    this.#to = 0;
  }

  #closeBlock(): void {
    if (this.#block === undefined || this.#to === this.#from) return;
    this.#pieces.push(this.#block.subarray(this.#from, this.#to));
    this.#from = this.#to;
  }
}
