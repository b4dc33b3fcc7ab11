import type { Socket } from 'node:net';

/** Cuts what a client sends into lines and messages; gives undefined once the client is gone. */
export class SmtpInput {
  #pending: Buffer = Buffer.alloc(0);
  #gone = false;
  #wake: () => void = () => {};

  /** Reads from this socket from now on. Plain bytes still unread are forgotten, as RFC 3207 section 4.2 asks. */
  attach(socket: Socket): void {
    this.#pending = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
      this.#wake();
    });
    socket.once('close', () => {
      this.#gone = true;
      this.#wake();
    });
  }

  get waiting(): boolean {
    return this.#pending.length > 0;
  }

  /** One line with its CR, if it has one, and without its LF. */
  async readLine(): Promise<string | undefined> {
    let end = this.#pending.indexOf('\n');
    while (end === -1) {
      if (!(await this.#more())) return undefined;
      end = this.#pending.indexOf('\n');
    }
    const line = this.#pending.toString('utf8', 0, end);
    this.#pending = this.#pending.subarray(end + 1);
    return line;
  }

  async readMessage(): Promise<Buffer | undefined> {
    // DATA ended a line: a dot that comes first is already the whole line.
    const parts: Buffer[] = [Buffer.from('\r\n')];
    let tail: Buffer = Buffer.from('\r\n');
    for (;;) {
      if (!this.waiting && !(await this.#more())) return undefined;
      const chunk = this.#pending;
      const window = Buffer.concat([tail, chunk]);
      const end = window.indexOf('\r\n.\r\n');
      const taken = end === -1 ? chunk.length : end + 5 - tail.length;
      this.#pending = chunk.subarray(taken);
      parts.push(chunk.subarray(0, taken));
      if (end !== -1) return withoutDots(Buffer.concat(parts));
      tail = window.subarray(-4);
    }
  }

  async #more(): Promise<boolean> {
    const { length } = this.#pending;
    while (!this.#gone && this.#pending.length === length) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#pending.length > length;
  }
}

/** RFC 5321 section 4.5.2. The wire begins with the end of the line before and ends with the final dot. */
function withoutDots(wire: Buffer): Buffer {
  const text = wire.toString('latin1', 0, wire.length - 3).replaceAll('\r\n.', '\r\n');
  return Buffer.from(text.slice(2), 'latin1');
}

/** `FROM:<path> PARAM=value …`, without a space after the colon (RFC 5321 section 3.3). */
export function parsePath(argument: string): { path: string; params: Record<string, string> } | undefined {
  const match = /^(?:FROM|TO):<((?:"(?:[^"\\]|\\.)*"|[^">])*)>(?: (.*))?$/i.exec(argument);
  if (!match) return undefined;
  const words = (match[2] ?? '').split(' ').filter((word) => word !== '');
  const params = words.map((word): [string, string] => {
    const [name = '', ...value] = word.split('=');
    return [name.toUpperCase(), value.join('=')];
  });
  return { path: match[1] ?? '', params: Object.fromEntries(params) };
}
