import type { Socket } from 'node:net';
import { TLSSocket, type SecureContext } from 'node:tls';
import type { TlsDetails } from './handlers.ts';

export interface TransportListener {
  onData(chunk: Buffer): void;
  onEnd(): void;
  onDrain(): void;
  onClose(): void;
}

// How long a client may take to close after it was told the last word.
const lingerMs = 2000;

/** A socket that may turn into an encrypted one, and that closes without cutting off its own last words. */
export class Transport {
  readonly #listener: TransportListener;
  #socket: Socket;
  #linger: NodeJS.Timeout | undefined;
  #isPaused = false;
  #isFinished = false;
  #isShakingHands = false;

  constructor(socket: Socket, listener: TransportListener) {
    this.#listener = listener;
    this.#socket = socket;
    this.#watch(socket);
    this.#listen(socket);
  }

  get needsDrain(): boolean {
    return this.#socket.writableNeedDrain;
  }

  write(text: string): void {
    if (this.#socket.writable) this.#socket.write(text, 'latin1');
  }

  pause(): void {
    if (this.#isFinished) return;
    this.#socket.pause();
    this.#isPaused = true;
  }

  resume(): void {
    if (this.#isPaused) this.#socket.resume();
    this.#isPaused = false;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Says the last word, then reads over whatever still comes: closing on unread bytes could reset it away. */
  finish(text: string): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.resume();
    if (this.#socket.writable) this.#socket.end(text, 'latin1');
    this.#linger = setTimeout(() => this.#socket.destroy(), lingerMs);
  }

  /** Says the last word and closes at once: for when there are too many to wait for each. */
  dismiss(text: string): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    // Nothing can be said before TLS is there.
    if (this.#isShakingHands) this.#socket.destroy();
    else if (this.#socket.writable) this.#socket.write(text, 'latin1');
    this.#socket.destroySoon();
    this.#linger = setTimeout(() => this.#socket.destroy(), lingerMs);
  }

  /** Plain bytes that arrive from here on are taken for a part of the handshake and break it. */
  async startTls(context: SecureContext, timeoutMs: number): Promise<TlsDetails> {
    const plain = this.#socket;
    for (const event of ['data', 'end', 'drain']) plain.removeAllListeners(event);
    const secure = new TLSSocket(plain, { isServer: true, secureContext: context });
    this.#socket = secure;
    this.#watch(secure);
    this.#listen(secure);
    this.#isShakingHands = true;
    await handshake(secure, timeoutMs);
    this.#isShakingHands = false;
    return {
      protocol: secure.getProtocol() ?? '',
      cipher: secure.getCipher().name,
      servername: servernameOf(secure),
    };
  }

  #watch(socket: Socket): void {
    // A reset by the other side is an ordinary way for a connection to end; `close` follows.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      if (socket !== this.#socket) return;
      clearTimeout(this.#linger);
      this.#listener.onClose();
    });
  }

  #listen(socket: Socket): void {
    socket.on('data', (chunk: Buffer) => {
      if (!this.#isFinished) this.#listener.onData(chunk);
    });
    socket.on('end', () => this.#listener.onEnd());
    socket.on('drain', () => this.#listener.onDrain());
  }
}

/** The server's name as the client gave it (SNI); not in the types of node:tls for the server's side. */
function servernameOf(socket: TLSSocket): string | undefined {
  const { servername } = socket as TLSSocket & { servername?: string | false };
  return typeof servername === 'string' && servername !== '' ? servername : undefined;
}

async function handshake(socket: TLSSocket, timeoutMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error('the TLS handshake took too long')), timeoutMs);
  socket.once('secure', resolve);
  // What goes wrong before the handshake is over is not told by `error`.
  socket.once('_tlsError', reject);
  const left = (): void => reject(new Error('the client left during the TLS handshake'));
  socket.once('end', left);
  socket.once('close', left);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
  }
}
