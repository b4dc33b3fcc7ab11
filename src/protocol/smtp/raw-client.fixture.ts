import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { connect as connectTls } from 'node:tls';

const wholeReply = /^(?:\d{3}-[^\r\n]*\r\n)*\d{3} [^\r\n]*\r\n/;

/** A client that sends what it is told, byte for byte, and waits for replies with a bound. */
export class RawClient {
  socket: Socket;
  /** What came and was not asked for yet. */
  received = '';
  isClosed = false;
  #wake = (): void => {};

  constructor(socket: Socket) {
    this.socket = socket;
    this.#attach(socket);
  }

  /** The next reply, without its last line end. */
  async reply(): Promise<string> {
    const found = await this.#until(() => wholeReply.exec(this.received)?.[0], 'a reply');
    this.received = this.received.slice(found.length);
    return found.trimEnd();
  }

  /** The codes of the next replies. */
  async codes(count: number): Promise<number[]> {
    const codes: number[] = [];
    while (codes.length < count) codes.push(Number((await this.reply()).slice(0, 3)));
    return codes;
  }

  async say(line: string): Promise<string> {
    this.socket.write(`${line}\r\n`);
    return await this.reply();
  }

  async sayAll(...lines: string[]): Promise<string> {
    let last = '';
    for (const line of lines) last = await this.say(line);
    return last;
  }

  async closed(): Promise<void> {
    await this.#until(() => this.isClosed || undefined, 'the end of the connection');
  }

  async startTls(): Promise<void> {
    const plain = this.socket;
    plain.removeAllListeners('data').removeAllListeners('close');
    const secure = connectTls({ socket: plain, rejectUnauthorized: false });
    this.#attach(secure);
    await once(secure, 'secureConnect');
  }

  #attach(socket: Socket): void {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.received += chunk.toString('latin1');
      this.#wake();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
  }

  async #until<T>(condition: () => T | undefined, what: string): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const check = (): void => {
      const found = condition();
      if (found !== undefined) resolve(found);
      else if (this.isClosed) reject(new Error(`closed instead of ${what}: ${this.received}`));
    };
    const timer = setTimeout(() => reject(new Error(`no ${what} in time: ${this.received}`)), 8000);
    this.#wake = check;
    check();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }
}

export async function openRaw(t: TestContext, port: number, localAddress = '127.0.0.1'): Promise<RawClient> {
  const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
  t.after(() => socket.destroy());
  const client = new RawClient(socket);
  await once(socket, 'connect');
  return client;
}

/** Connected and past the greeting. */
export async function openGreeted(t: TestContext, port: number): Promise<RawClient> {
  const client = await openRaw(t, port);
  await client.reply();
  await client.say('EHLO client.example');
  return client;
}
