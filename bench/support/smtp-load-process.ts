import { connect, type Socket } from 'node:net';
import type { SmtpTask } from './smtp-load.ts';

/** Resolves with the last line of each reply in turn. */
class Replies {
  readonly #socket: Socket;
  #text = '';
  #waiting: ((line: string) => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      this.#text += chunk;
      this.#deliver();
    });
  }

  #deliver(): void {
    const match = /^(?:\d{3}-.*\r\n)*(\d{3} .*)\r\n/.exec(this.#text);
    if (!match || !this.#waiting) return;
    this.#text = this.#text.slice(match[0].length);
    const resolve = this.#waiting;
    this.#waiting = undefined;
    resolve(match[1] ?? '');
  }

  async next(expected: number): Promise<void> {
    const line = await new Promise<string>((resolve, reject) => {
      this.#waiting = resolve;
      this.#socket.once('error', reject);
      this.#deliver();
    });
    this.#socket.removeAllListeners('error');
    if (!line.startsWith(String(expected))) throw new Error(line);
  }
}

async function open(task: SmtpTask): Promise<{ socket: Socket; replies: Replies }> {
  const [host, port] = task.address.split(':');
  const socket = connect({ host: host ?? '', port: Number(port), noDelay: true });
  const replies = new Replies(socket);
  await replies.next(220);
  socket.write('EHLO bench\r\n');
  await replies.next(250);
  const secret = Buffer.from(`\0${task.username}\0${task.password}`).toString('base64');
  socket.write(`AUTH PLAIN ${secret}\r\n`);
  await replies.next(235);
  return { socket, replies };
}

async function load(task: SmtpTask): Promise<{ per_second: number }> {
  const line = `${'x'.repeat(70)}\r\n`;
  const text = line.repeat(Math.ceil(task.bytes / line.length));
  const message = `From: ${task.from}\r\nTo: ${task.to}\r\nSubject: Benchmark\r\n\r\n${text}.\r\n`;
  let left = task.messages;
  const worker = async (): Promise<void> => {
    let session = await open(task);
    while (left > 0) {
      left -= 1;
      session.socket.write(`MAIL FROM:<${task.from}>\r\nRCPT TO:<${task.to}>\r\nDATA\r\n`);
      await session.replies.next(250);
      await session.replies.next(250);
      await session.replies.next(354);
      session.socket.write(message);
      await session.replies.next(250);
      if (task.reuse || left <= 0) continue;
      session.socket.end('QUIT\r\n');
      session = await open(task);
    }
    session.socket.end('QUIT\r\n');
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: task.connections }, worker));
  return { per_second: task.messages / ((performance.now() - began) / 1000) };
}

/** Started as a process of its own, where there is no compiler for `smtp-load.c`. */
if (process.argv[2])
  process.stdout.write(JSON.stringify(await load(JSON.parse(process.argv[2]) as SmtpTask)));
