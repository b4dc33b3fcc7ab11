import { EventEmitter, once } from 'node:events';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { selfSignedCertificate } from '../tls/self-signed-certificate.ts';
import type { ReceivedMessage } from './handlers.ts';
import type { SmtpEvent } from './log.ts';
import { createSmtpServer, type SmtpServer, type SmtpServerOptions } from './server.ts';

export interface User {
  username: string;
}

export interface Received extends ReceivedMessage<User> {
  text: string;
}

export interface RunningServer {
  server: SmtpServer;
  port: number;
  messages: Received[];
  events: SmtpEvent[];
  /** Resolves when so many connections are left. */
  left: (count: number) => Promise<void>;
  /** The first event of that kind, past or to come. */
  event: <K extends SmtpEvent['event']>(kind: K) => Promise<Extract<SmtpEvent, { event: K }>>;
}

export const certificate = selfSignedCertificate({
  names: ['localhost', '127.0.0.1'],
  valid_from: new Date(Date.now() - 86_400_000),
});

/** A server that takes every message; `user` with `secret` is its only user. */
export async function startServer(
  t: TestContext,
  options: Partial<SmtpServerOptions<User>> = {},
): Promise<RunningServer> {
  const messages: Received[] = [];
  const events: SmtpEvent[] = [];
  const emitter = new EventEmitter();
  const server = createSmtpServer<User>({
    name: 'mx.example',
    secure: false,
    tls: () => certificate,
    require_auth: false,
    max_message_bytes: 1_000_000,
    max_recipients: 50,
    log: (entry) => {
      events.push(entry);
      emitter.emit(entry.event, entry);
    },
    ...options,
    handlers: {
      onAuth: ({ username, password }) =>
        username === 'user' && password === 'secret' ? { ok: true, user: { username } } : { ok: false },
      onMessage: (message) => {
        messages.push({ ...message, text: Buffer.concat(message.data).toString('latin1') });
        return { code: 250, enhanced: '2.0.0', text: `queued ${messages.length}` };
      },
      ...options.handlers,
    },
  });
  t.after(async () => await server.stop({ within_ms: 0 }));
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  async function event<K extends SmtpEvent['event']>(kind: K): Promise<Extract<SmtpEvent, { event: K }>> {
    const past = events.find((each) => each.event === kind);
    const [found] =
      past === undefined ? await once(emitter, kind, { signal: AbortSignal.timeout(8000) }) : [past];
    return found as Extract<SmtpEvent, { event: K }>;
  }
  async function left(count: number): Promise<void> {
    const signal = AbortSignal.timeout(8000);
    while (server.connections !== count) await sleep(5, undefined, { signal });
  }
  return { server, port, messages, events, event, left };
}

/** MAIL, RCPT and DATA as one pipelined group. */
export const envelope = 'MAIL FROM:<a@a.example>\r\nRCPT TO:<b@b.example>\r\nDATA\r\n';
