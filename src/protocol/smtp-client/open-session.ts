import type { Socket } from 'node:net';
import { authenticate, isLoopback, type Credentials } from './authenticate.ts';
import { Capabilities, readCapabilities } from './capabilities.ts';
import { Channel, type Failure } from './channel.ts';
import { connectSocket, type PhaseTimeout, type SocketOptions } from './connect-socket.ts';
import type { ClientLog } from './log.ts';
import type { ConnectionFailure, Phase } from './outcome.ts';
import { isPositive, isRefusal, replyOutcome, type Reply } from './reply.ts';
import { secureSocket, type SecuredSocket, type TlsInfo, type TlsOptions } from './secure-socket.ts';
import { Session } from './session.ts';
import { defaultTimeouts, type Timeouts } from './timeouts.ts';

export interface SessionOptions extends SocketOptions {
  /** The name of the local address in DNS, or an address literal (RFC 5321 §4.1.1.1). */
  ehlo_name: string;
  tls: TlsOptions;
  /** To sign in with, never without TLS unless the server is on this machine. */
  credentials?: Credentials | undefined;
  timeouts?: Partial<Timeouts> | undefined;
  /** Ends the session whenever it fires, not only while it opens. */
  signal?: AbortSignal | undefined;
  log?: ClientLog | undefined;
}

type Settings = SessionOptions & { timeouts: Timeouts };

/** Connects, waits for the greeting, says EHLO and secures the connection; or tells what stood in the way. */
export async function openSession(options: SessionOptions): Promise<Session | Failure> {
  if (!/^[!-~]+$/.test(options.ehlo_name)) throw new TypeError(`not a host name: ${options.ehlo_name}`);
  const settings = { ...options, timeouts: { ...defaultTimeouts, ...options.timeouts } };
  const connected = await connectTransport(settings);
  if ('kind' in connected) return connected;
  const { socket, info } = connected;
  const { timeouts, signal, log } = settings;
  const addresses = {
    remote_address: socket.remoteAddress ?? options.host,
    local_address: socket.localAddress ?? '',
  };
  const channel = new Channel(socket, { timeouts, signal, log });
  const greeted = await enter(channel, settings, info);
  if ('kind' in greeted) {
    channel.fail('closed', 'the session did not open', greeted.phase);
    return greeted;
  }
  return new Session(channel, { ...greeted, ...addresses, transaction_timeout_ms: timeouts.transaction });
}

interface Transport {
  socket: Socket;
  info: TlsInfo | undefined;
}

async function connectTransport(settings: Settings): Promise<Transport | ConnectionFailure> {
  const socket = await connectSocket(settings, phaseTimeout(settings, 'connect'));
  if ('kind' in socket) return socket;
  if (settings.tls.mode !== 'implicit') return { socket, info: undefined };
  const secured = await secureSocket(socket, settings.tls, {
    ...phaseTimeout(settings, 'starttls'),
    phase: 'connect',
  });
  if (!('kind' in secured)) settings.log?.({ event: 'secured', tls: secured.info });
  return secured;
}

interface Greeted {
  capabilities: Capabilities;
  tls: TlsInfo | undefined;
}

/** Greets, and signs in where there is something to sign in with. */
async function enter(
  channel: Channel,
  settings: Settings,
  info: TlsInfo | undefined,
): Promise<Greeted | Failure> {
  const greeted = await greet(channel, settings, info);
  const { credentials, host } = settings;
  if ('kind' in greeted || credentials === undefined) return greeted;
  if (greeted.tls === undefined && !isLoopback(host)) {
    return { kind: 'tls', phase: 'auth', message: 'credentials are not sent unencrypted' };
  }
  return (await authenticate(channel, greeted.capabilities, credentials)) ?? greeted;
}

async function greet(
  channel: Channel,
  settings: Settings,
  tls: TlsInfo | undefined,
): Promise<Greeted | Failure> {
  const greeting = await ask(channel, 'greeting', '');
  if ('kind' in greeting) return greeting;
  const capabilities = await introduce(channel, settings.ehlo_name);
  if ('kind' in capabilities) return capabilities;
  const { mode } = settings.tls;
  const wanted = mode === 'required' || (mode === 'opportunistic' && capabilities.offers('STARTTLS'));
  if (!wanted) return { capabilities, tls };
  if (!capabilities.offers('STARTTLS')) return tlsFailure('the server does not offer STARTTLS');
  const secured = await startTls(channel, settings);
  if ('kind' in secured) return secured;
  // Extensions offered before TLS may have been forged and are discarded (RFC 3207 §4.2).
  const offered = await introduce(channel, settings.ehlo_name);
  return 'kind' in offered ? offered : { capabilities: offered, tls: secured.info };
}

/** HELO when the server permanently rejects EHLO (RFC 5321 §3.2): then it offers no extensions. */
async function introduce(channel: Channel, name: string): Promise<Capabilities | Failure> {
  const ehlo = await ask(channel, 'ehlo', `EHLO ${name}\r\n`);
  if (!('kind' in ehlo)) return readCapabilities(ehlo);
  if (ehlo.kind !== 'reply' || ehlo.code < 500) return ehlo;
  const helo = await ask(channel, 'ehlo', `HELO ${name}\r\n`);
  if (!('kind' in helo)) return new Capabilities();
  // A server that hung up after its refusal has said why there.
  return helo.kind === 'reply' ? helo : ehlo;
}

async function startTls(channel: Channel, settings: Settings): Promise<SecuredSocket | Failure> {
  const go = await ask(channel, 'starttls', 'STARTTLS\r\n');
  if ('kind' in go) {
    return go.kind === 'reply' ? tlsFailure(`the server refuses STARTTLS: ${go.code} ${go.text}`) : go;
  }
  const secured = await secureSocket(channel.release(), settings.tls, phaseTimeout(settings, 'starttls'));
  if ('kind' in secured) return secured;
  channel.adopt(secured.socket);
  settings.log?.({ event: 'secured', tls: secured.info });
  return secured;
}

/** One command; gives the reply only when it is positive. */
async function ask(channel: Channel, phase: Phase, line: string): Promise<Reply | Failure> {
  const { replies, failure } = await channel.exchange([phase], line);
  const [reply] = replies;
  if (reply === undefined) return failure ?? { kind: 'protocol', phase, message: 'no reply' };
  if (isPositive(reply)) return reply;
  if (isRefusal(reply)) return replyOutcome(reply, phase);
  return { kind: 'protocol', phase, message: `unexpected reply: ${reply.code}` };
}

function phaseTimeout({ timeouts, signal }: Settings, phase: Phase): PhaseTimeout {
  return { phase, timeout_ms: timeouts[phase], signal };
}

function tlsFailure(message: string): ConnectionFailure {
  return { kind: 'tls', phase: 'starttls', message };
}
