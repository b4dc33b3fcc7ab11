import { createSocket } from 'node:dgram';
import { connect, isIP, isIPv6 } from 'node:net';
import { decode, encode, streamEncode, type DecodedPacket, type Packet } from 'dns-packet';
import type { DnsTrouble } from './resolver.ts';

export interface NameServer {
  host: string;
  port: number;
}

export type Exchange =
  | { kind: 'answer'; packet: DecodedPacket }
  | { kind: 'trouble'; reason: Extract<DnsTrouble, 'timeout' | 'unreachable' | 'malformed'> };

export interface Sending {
  query: Packet & { id: number };
  timeout_ms: number;
}

/** `ip`, `ip:port` or `[v6]:port`, as `dns.getServers` gives them. */
export function parseNameServer(text: string): NameServer {
  const match = /^(?:\[(.+)\]|([\d.]+))(?::(\d+))?$/.exec(text);
  const host = match?.[1] ?? match?.[2] ?? text;
  if (isIP(host) === 0) throw new TypeError(`no address of a name server: ${text}`);
  return { host, port: Number(match?.[3] ?? 53) };
}

/**
 * One question, one answer. A socket for each gives every question a source port that a forger has to guess
 * (RFC 5452 §9.2), and being connected it hears nobody but that server.
 */
export async function exchangeOverUdp(server: NameServer, { query, timeout_ms }: Sending): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const socket = createSocket(isIPv6(server.host) ? 'udp6' : 'udp4');
  const timer = setTimeout(() => resolve({ kind: 'trouble', reason: 'timeout' }), timeout_ms);
  const fail = (): void => resolve({ kind: 'trouble', reason: 'unreachable' });
  socket.on('error', fail);
  socket.on('message', (bytes) => {
    // Whatever carries another number is no answer to this question: the true one may still come.
    if (bytes.length >= 12 && bytes.readUInt16BE(0) === query.id) resolve(read(bytes, query));
  });
  socket.on('connect', () => socket.send(encode(query), (error) => error && fail()));
  socket.connect(server.port, server.host);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}

/** For answers that do not fit into a datagram (RFC 7766). */
export async function exchangeOverTcp(server: NameServer, { query, timeout_ms }: Sending): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const socket = connect(server.port, server.host);
  const timer = setTimeout(() => resolve({ kind: 'trouble', reason: 'timeout' }), timeout_ms);
  let received = Buffer.alloc(0);
  socket.on('error', () => resolve({ kind: 'trouble', reason: 'unreachable' }));
  socket.on('end', () => resolve({ kind: 'trouble', reason: 'malformed' }));
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
    resolve(read(received.subarray(2, 2 + received.readUInt16BE(0)), query));
  });
  socket.write(streamEncode(query));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.destroy();
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
  return isAnswer ? { kind: 'answer', packet } : { kind: 'trouble', reason: 'malformed' };
}

function decoded(bytes: Buffer): DecodedPacket | undefined {
  try {
    return decode(bytes);
  } catch {
    return undefined; // dns-packet says by an exception that the bytes are no message
  }
}
