import { createSocket } from 'node:dgram';
import { connect, isIP, isIPv6 } from 'node:net';
import { decode, encode, streamEncode, type DecodedPacket, type Packet } from 'dns-packet';

/** Why a lookup has no answer. */
export const dnsErrors = [
  'timeout',
  'cancelled',
  'servfail',
  'refused',
  'unreachable',
  'malformed',
  'not_implemented',
  'bad_name',
  'failed',
] as const;
export type DnsError = (typeof dnsErrors)[number];

export interface NameServer {
  host: string;
  port: number;
}

export type Exchange =
  | { kind: 'answer'; packet: DecodedPacket }
  | { kind: 'error'; reason: Extract<DnsError, 'timeout' | 'cancelled' | 'unreachable' | 'malformed'> };

const cancelled: Exchange = { kind: 'error', reason: 'cancelled' };

export interface Sending {
  query: Packet & { id: number };
  timeout_ms: number;
  signal: AbortSignal | undefined;
}

/** `ip`, `ip:port` or `[v6]:port`, as `dns.getServers` returns them. */
export function parseNameServer(text: string): NameServer {
  const match = /^(?:\[(.+)\]|([\d.]+))(?::(\d+))?$/.exec(text);
  const host = match?.[1] ?? match?.[2] ?? text;
  if (isIP(host) === 0) throw new TypeError(`no address of a name server: ${text}`);
  return { host, port: Number(match?.[3] ?? 53) };
}

/**
 * One query, one answer. Every query has its own socket, and so a random source port (RFC 5452 §9.2); a connected socket
 * only receives from that server.
 */
export async function exchangeOverUdp(server: NameServer, sending: Sending): Promise<Exchange> {
  const { query } = sending;
  if (sending.signal?.aborted) return cancelled;
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const socket = createSocket(isIPv6(server.host) ? 'udp6' : 'udp4');
  const fail = (): void => resolve({ kind: 'error', reason: 'unreachable' });
  socket.on('error', fail);
  socket.on('message', (bytes) => {
    // A datagram with another id is ignored: the real answer may still come.
    if (bytes.length >= 12 && bytes.readUInt16BE(0) === query.id) resolve(read(bytes, query));
  });
  socket.on('connect', () => socket.send(encode(query), (error) => error && fail()));
  socket.connect(server.port, server.host);
  return await awaitAnswer({ promise, resolve }, sending).finally(() => socket.close());
}

/** For answers that do not fit into a datagram (RFC 7766). */
export async function exchangeOverTcp(server: NameServer, sending: Sending): Promise<Exchange> {
  const { query } = sending;
  if (sending.signal?.aborted) return cancelled;
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const socket = connect(server.port, server.host);
  let received = Buffer.alloc(0);
  socket.on('error', () => resolve({ kind: 'error', reason: 'unreachable' }));
  socket.on('end', () => resolve({ kind: 'error', reason: 'malformed' }));
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
    resolve(read(received.subarray(2, 2 + received.readUInt16BE(0)), query));
  });
  socket.write(streamEncode(query));
  return await awaitAnswer({ promise, resolve }, sending).finally(() => socket.destroy());
}

async function awaitAnswer(
  { promise, resolve }: Omit<PromiseWithResolvers<Exchange>, 'reject'>,
  { timeout_ms, signal }: Sending,
): Promise<Exchange> {
  const timer = setTimeout(() => resolve({ kind: 'error', reason: 'timeout' }), timeout_ms);
  const cancel = (): void => resolve(cancelled);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

function read(bytes: Buffer, query: Sending['query']): Exchange {
  const packet = decoded(bytes);
  const [asked] = query.questions ?? [];
  const [echoed] = packet?.questions ?? [];
  const isAnswer =
    packet?.flag_qr === true &&
    packet.id === query.id &&
    echoed?.type === asked?.type &&
    echoed?.name.toLowerCase() === asked?.name.toLowerCase();
  return isAnswer ? { kind: 'answer', packet } : { kind: 'error', reason: 'malformed' };
}

function decoded(bytes: Buffer): DecodedPacket | undefined {
  try {
    return decode(bytes);
  } catch {
    return undefined; // dns-packet throws for bytes that are not a message
  }
}
