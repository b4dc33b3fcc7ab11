import type { Socket } from 'node:net';

/** Also about what a socket buffers before it asks to wait: most messages go out in one system call. */
const largestPiece = 65_536;

/** A message on its way into a socket, no faster than that takes it. */
export class Upload {
  readonly #socket: Socket;
  readonly #chunks: readonly Buffer[];
  #chunk = 0;
  #offset = 0;

  constructor(socket: Socket, chunks: readonly Buffer[]) {
    this.#socket = socket;
    this.#chunks = chunks;
    this.proceed();
  }

  /** Whether the socket has all of it. */
  get done(): boolean {
    return this.#chunk >= this.#chunks.length;
  }

  /** To be called at the start and on each `drain`. */
  proceed(): void {
    this.#socket.cork();
    for (let piece = this.#next(); piece !== undefined; piece = this.#next()) {
      if (!this.#socket.write(piece)) break;
    }
    this.#socket.uncork();
  }

  #next(): Buffer | undefined {
    const chunk = this.#chunks[this.#chunk];
    if (chunk === undefined) return undefined;
    const from = this.#offset;
    this.#offset += largestPiece;
    if (this.#offset < chunk.length) return chunk.subarray(from, this.#offset);
    this.#chunk += 1;
    this.#offset = 0;
    return from === 0 ? chunk : chunk.subarray(from);
  }
}
