import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { startRemoteMx, type RemoteMx, type RemoteMxOptions } from '../../../test/support/remote-mx.ts';
import { stuffDots } from './dot-stuffing.ts';
import { openSession, type SessionOptions } from './open-session.ts';
import type { Outcome } from './outcome.ts';
import { Session, type OutboundMessage } from './session.ts';

export const plainCapabilities = ['PIPELINING', 'SIZE 52428800', '8BITMIME', 'SMTPUTF8'];

export async function mxFor(t: TestContext, options: RemoteMxOptions = {}): Promise<RemoteMx> {
  const mx = await startRemoteMx(options);
  t.after(mx.stop);
  return mx;
}

/** For what no mail server does: `serve` has the bare sockets. */
export async function rawServer(t: TestContext, serve: (socket: Socket) => void) {
  const server = createServer((socket) => {
    t.after(() => socket.destroy());
    serve(socket.on('error', () => undefined));
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

type Overrides = Partial<Omit<SessionOptions, 'tls'>> & { tls?: Partial<SessionOptions['tls']> };

/** Without TLS unless asked for. */
export async function tryToOpen(mx: { host: string; port: number }, overrides: Overrides = {}) {
  return await openSession({
    host: mx.host,
    port: mx.port,
    ehlo_name: 'client.test',
    ...overrides,
    tls: { mode: 'never', servername: 'mx.test', verify: 'none', ...overrides.tls },
  });
}

export async function openOrFail(
  t: TestContext,
  mx: { host: string; port: number },
  overrides: Overrides = {},
) {
  const session = await tryToOpen(mx, overrides);
  assert.ok(session instanceof Session, JSON.stringify(session));
  t.after(() => session.destroy());
  return session;
}

export function messageOf(text: string | Buffer, changes: Partial<OutboundMessage> = {}): OutboundMessage {
  const bytes = Buffer.from(text);
  return {
    mail_from: 'from@client.test',
    rcpt_to: ['to@mx.test'],
    size: bytes.length,
    eight_bit: false,
    smtputf8: false,
    data: stuffDots(bytes),
    ...changes,
  };
}

/** `rcpt 550`, `body timeout`: enough to compare most outcomes by. */
export function brief(outcome: Outcome | Session | undefined): string {
  if (outcome === undefined || outcome.kind === 'session') return 'session';
  return `${outcome.phase} ${outcome.kind === 'reply' ? outcome.code : outcome.kind}`;
}
