import { randomInt } from 'node:crypto';
import { getServers } from 'node:dns';
import { AUTHENTIC_DATA, RECURSION_DESIRED, type DecodedPacket } from 'dns-packet';
import { isLoopback } from '../../smtp-client/authenticate.ts';
import {
  exchangeOverTcp,
  exchangeOverUdp,
  parseNameServer,
  type DnsError,
  type NameServer,
} from './dns-exchange.ts';
import { readRecords, type RecordData, type RecordType } from './read-records.ts';

/**
 * The records of a name and type, CNAMEs followed. `authentic`: the resolver vouches that the whole answer is
 * DNSSEC-validated (the AD bit), which is as trustworthy as the path to that resolver.
 */
export type Lookup<T> =
  | { kind: 'found'; records: T[]; ttl_seconds: number; authentic: boolean }
  | { kind: 'missing'; name_exists: boolean; ttl_seconds: number; authentic: boolean }
  | { kind: 'error'; reason: DnsError };

export interface LookupOptions {
  signal?: AbortSignal;
}

export type LookUp = <T extends RecordType>(
  name: string,
  type: T,
  options?: LookupOptions,
) => Promise<Lookup<RecordData[T]>>;

export interface RecordLookupOptions {
  /** `ip:port` or `[v6]:port` of recursive resolvers; the system's when there are none. */
  servers?: string[];
  /** Of one lookup, retries included. */
  timeout_ms: number;
  /** Resolvers whose AD bit is trusted: all, none, or those on this machine. */
  trust_ad?: 'always' | 'loopback' | 'never';
}

/** Timers may fire a millisecond early: what they leave is too short for an answer. */
const leastMs = 5;

/**
 * The one DNS client. node:dns lacks what routing needs: the TTL of an MX, whether a missing name exists at all, and the
 * AD bit.
 */
export function createRecordLookup(options: RecordLookupOptions): LookUp {
  const { servers = [], timeout_ms, trust_ad = 'loopback' } = options;
  const nameServers = (servers.length > 0 ? servers : getServers()).map(parseNameServer);
  // Two rounds over all servers, the second with twice the time: three shares.
  const share = Math.max(100, Math.floor(timeout_ms / (3 * Math.max(1, nameServers.length))));
  const isTrusted = ({ host }: NameServer): boolean =>
    trust_ad === 'always' || (trust_ad === 'loopback' && isLoopback(host));
  return async (name, type, { signal } = {}) => {
    if (!isWritable(name)) return { kind: 'error', reason: 'bad_name' };
    let error: DnsError = 'unreachable';
    const until = performance.now() + timeout_ms;
    let waitMs = share;
    let waiting = nameServers;
    for (let round = 1; round <= 2; round += 1) {
      const silent: NameServer[] = [];
      for (const server of waiting) {
        const leftMs = until - performance.now();
        if (leftMs < leastMs) return { kind: 'error', reason: 'timeout' };
        const lookup = await ask(server, { name, type, timeout_ms: Math.min(waitMs, leftMs), signal });
        if (lookup.kind !== 'error') return { ...lookup, authentic: lookup.authentic && isTrusted(server) };
        error = lookup.reason;
        if (error === 'cancelled') return lookup;
        if (error === 'timeout') silent.push(server);
      }
      // A server that answered would answer the same again; a datagram may have been lost.
      waiting = silent;
      waitMs = 2 * share;
    }
    return { kind: 'error', reason: error };
  };
}

interface Asking<T extends RecordType> {
  name: string;
  type: T;
  timeout_ms: number;
  signal: AbortSignal | undefined;
}

async function ask<T extends RecordType>(
  server: NameServer,
  { name, type, timeout_ms, signal }: Asking<T>,
): Promise<Lookup<RecordData[T]>> {
  const started = performance.now();
  const query = {
    type: 'query' as const,
    id: randomInt(0x1_0000),
    // RFC 6840 §5.7: the AD bit in a query asks for it in the answer.
    flags: RECURSION_DESIRED | AUTHENTIC_DATA,
    questions: [{ type, name }],
    // 1232 bytes pass every path without fragments.
    additionals: [{ ...emptyOpt, udpPayloadSize: 1232 }],
  };
  let exchange = await exchangeOverUdp(server, { query, timeout_ms, signal });
  if (exchange.kind === 'answer' && exchange.packet.flag_tc) {
    const left = Math.max(1, timeout_ms - (performance.now() - started));
    exchange = await exchangeOverTcp(server, { query, timeout_ms: left, signal });
  }
  return exchange.kind === 'error' ? exchange : readAnswer(exchange.packet, { name, type });
}

const emptyOpt = {
  type: 'OPT' as const,
  name: '.' as const,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

const errorByRcode: Record<number, DnsError> = {
  1: 'malformed',
  2: 'servfail',
  4: 'not_implemented',
  5: 'refused',
};
const nxdomain = 3;

function readAnswer<T extends RecordType>(
  packet: DecodedPacket,
  question: { name: string; type: T },
): Lookup<RecordData[T]> {
  const rcode = (packet.flags ?? 0) & 0xf;
  if (rcode !== 0 && rcode !== nxdomain) return { kind: 'error', reason: errorByRcode[rcode] ?? 'failed' };
  const { records, ttl_seconds } = readRecords(packet, question);
  const authentic = packet.flag_ad;
  if (rcode === 0 && records.length > 0) return { kind: 'found', records, ttl_seconds, authentic };
  // An empty answer from a server that is neither recursive nor authoritative is a referral.
  if (!packet.flag_ra && !packet.flag_aa) return { kind: 'error', reason: 'refused' };
  return { kind: 'missing', name_exists: rcode !== nxdomain, ttl_seconds, authentic };
}

/** RFC 1035 §2.3.4, and underscores, which occur in practice. */
function isWritable(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => /^[a-z0-9_-]{1,63}$/i.test(label));
}
