/** Shorter bodies mostly come in one piece, which need not be copied. */
const copiedBytes = 64 * 1024;

/** Gathers a body. One that announced its length is copied into its place as it comes, so that it is never there twice. */
export class BodyPieces {
  #whole: Buffer | undefined;
  #pieces: Buffer[] = [];
  #size = 0;

  /** Memory that nothing was written to costs the system nothing. */
  constructor(announced = 0) {
    this.#whole = announced > copiedBytes ? Buffer.allocUnsafeSlow(announced) : undefined;
  }

  get size(): number {
    return this.#size;
  }

  add(piece: Buffer): void {
    if (this.#whole) piece.copy(this.#whole, this.#size);
    else this.#pieces.push(piece);
    this.#size += piece.length;
  }

  drop(): void {
    this.#whole = undefined;
    this.#pieces = [];
  }

  /** All of it; nothing is kept here. */
  take(): Buffer {
    const [whole, pieces] = [this.#whole, this.#pieces];
    this.drop();
    if (whole) return whole.subarray(0, this.#size);
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, this.#size);
  }
}
