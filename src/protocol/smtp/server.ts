import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { ByteBudget, type ByteHold } from '../byte-budget.ts';
import { createAuthThrottle, type AuthThrottle } from './auth-throttle.ts';
import { createConnectionCaps, type CapRefusal, type ConnectionCaps } from './connection-caps.ts';
import { Connection } from './connection.ts';
import type { Peer, SessionInfo, SmtpHandlers } from './handlers.ts';
import { defaultLimits, type SmtpLimits } from './limits.ts';
import type { SmtpLog } from './log.ts';
import { formatReply } from './reply.ts';
import type { SessionOptions } from './session-state.ts';
import { createTlsContexts, type TlsSource } from './tls-contexts.ts';

export interface SmtpServerOptions<User> {
  /** Name of this server, in the greeting and after EHLO. */
  name: string;
  /** TLS from the first byte (port 465) instead of STARTTLS. */
  secure: boolean;
  tls?: TlsSource;
  /** Whether MAIL needs AUTH before it. */
  require_auth: boolean;
  /** Lets clients on the loopback interface use AUTH without TLS; others never may. */
  allow_plaintext_auth?: boolean;
  max_message_bytes: number;
  max_recipients: number;
  handlers: SmtpHandlers<User>;
  limits?: Partial<SmtpLimits>;
  bare_newlines?: 'reject' | 'fix';
  nul?: 'reject' | 'keep';
  /** Delay of the greeting, to refuse clients that talk before it; 0, the default, disables it. */
  early_talker_wait_ms?: number;
  /** May be shared by several servers. */
  throttle?: AuthThrottle;
  /** Memory budget for a message; by default all messages share `max_held_bytes`. */
  hold?: SessionOptions<User>['hold'];
  caps?: ConnectionCaps;
  log?: SmtpLog;
  /** Monotonic milliseconds. */
  now?: () => number;
}

export interface SmtpServer {
  /** With `reusePort` several sockets listen on one port, and the kernel distributes connections. */
  listen(where: { host: string; port: number; reusePort?: boolean }): Promise<{ host: string; port: number }>;
  /** Stops accepting, drains transactions in progress, and destroys what is left after `within_ms`. */
  stop(how: { within_ms: number }): Promise<void>;
  readonly connections: number;
}

export function createSmtpServer<User>(options: SmtpServerOptions<User>): SmtpServer {
  const { now = () => performance.now(), log, max_message_bytes } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const { auth_failures, auth_forget_ms, auth_max_entries, max_line_bytes } = limits;
  const tlsContext = createTlsContexts(options.tls ?? (() => undefined));
  const caps = options.caps ?? createConnectionCaps(limits);
  const shared = {
    name: options.name,
    secure: options.secure,
    require_auth: options.require_auth,
    allow_plaintext_auth: options.allow_plaintext_auth ?? false,
    max_message_bytes,
    max_recipients: options.max_recipients,
    limits,
    handlers: options.handlers,
    early_talker_wait_ms: options.early_talker_wait_ms ?? 0,
    data: {
      max_message_bytes,
      max_line_bytes,
      bare_newlines: options.bare_newlines ?? 'reject',
      nul: options.nul ?? 'reject',
    },
    hold: options.hold ?? holdsOf(limits.max_held_bytes),
    throttle:
      options.throttle ??
      createAuthThrottle(
        { failures: auth_failures, forget_ms: auth_forget_ms, max_entries: auth_max_entries },
        now,
      ),
    ...(log === undefined ? {} : { log }),
  };
  const connections = new Set<Connection<User>>();
  let lastId = 0;
  const emptied = Promise.withResolvers<void>();
  let stopped: Promise<void> | undefined;

  /** An unreadable certificate must not take the server down: TLS is unavailable until it can be read. */
  function findContext(session: SessionInfo): SecureContext | undefined {
    try {
      return tlsContext();
    } catch (error) {
      log?.({ event: 'tls_failed', session, error });
      return undefined;
    }
  }

  function accept(socket: Socket): void {
    const peer = peerOf(socket);
    // Without an address the client has already disconnected.
    if (peer === undefined || stopped !== undefined) {
      socket.destroy();
      return;
    }
    const seat = caps.admit(peer.address, () => connection.evict());
    if (typeof seat === 'string') {
      log?.({ event: 'connection_refused', peer, reason: seat });
      turnAway(socket, options.secure, seat);
      return;
    }
    if (!options.require_auth) seat.authenticated();
    lastId += 1;
    const session: SessionInfo = { id: lastId, peer, tls: undefined, helo: '', protocol: 'SMTP' };
    const tls_context = findContext(session);
    const connection: Connection<User> = new Connection(socket, {
      ...shared,
      session,
      tls_context,
      start_tls: tls_context !== undefined && !options.secure,
      onAuthenticated: () => seat.authenticated(),
      onClose: () => {
        seat.leave();
        connections.delete(connection);
        if (stopped !== undefined && connections.size === 0) emptied.resolve();
      },
    });
    connections.add(connection);
  }

  // Half-open: a client that has closed its side still gets the replies.
  const server = createServer({ allowHalfOpen: true, noDelay: true, highWaterMark: 16_384 }, accept);

  // Without a listener a failed accept would end the process.
  server.on('error', (error) => log?.({ event: 'listener_failed', error }));

  async function end(withinMs: number): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    if (connections.size === 0) emptied.resolve();
    for (const connection of connections) connection.stop();
    const timer = setTimeout(() => {
      for (const connection of connections) connection.destroy();
    }, withinMs);
    await Promise.all([closed, emptied.promise]);
    clearTimeout(timer);
  }

  return {
    async listen(where) {
      server.listen(where);
      await once(server, 'listening');
      const { address, port } = server.address() as AddressInfo;
      return { host: address, port };
    },
    async stop({ within_ms }) {
      stopped ??= end(within_ms);
      await stopped;
    },
    get connections() {
      return connections.size;
    },
  };
}

function holdsOf(bytes: number): () => ByteHold {
  const budget = new ByteBudget({ total_bytes: bytes, share_bytes: bytes });
  return () => budget.hold('');
}

function peerOf(socket: Socket): Peer | undefined {
  const { remoteAddress, remotePort } = socket;
  if (remoteAddress === undefined || remotePort === undefined) return undefined;
  return { address: remoteAddress.replace(/^::ffff:(?=\d+\.)/i, ''), port: remotePort };
}

const refusalTexts: Record<CapRefusal, string> = {
  too_many: 'Too many connections',
  too_many_from_source: 'Too many connections from your network',
  too_many_unauthenticated_from_source: 'Too many connections from your network that have not authenticated',
};

/** With implicit TLS no reply can be sent without a handshake. */
function turnAway(socket: Socket, isSecure: boolean, refusal: CapRefusal): void {
  socket.on('error', () => socket.destroy());
  if (!isSecure) {
    const text = `${refusalTexts[refusal]}, try again later`;
    socket.write(formatReply({ code: 421, enhanced: '4.7.0', text }));
  }
  socket.destroySoon();
}
