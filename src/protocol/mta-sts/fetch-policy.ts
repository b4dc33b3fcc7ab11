import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { lookupIn } from '../address/lookup-in.ts';
import { isPublicAddress } from '../address/public-address.ts';
import type { DnsOutcome } from '../dns/client/resolver.ts';

export type FetchedPolicy = { kind: 'fetched'; text: string } | { kind: 'failed'; reason: string };

export interface FetchPolicyOptions {
  addresses: (host: string) => Promise<DnsOutcome<string>>;
  /** Another port than 443, another authority than the system's, and loopback: for test beds. */
  port?: number;
  ca?: string;
  allow_private?: boolean;
  timeout_ms?: number;
  max_bytes?: number;
}

const maxPolicyBytes = 64 * 1024;
const timeoutMs = 10_000;

/**
 * Fetches a domain's policy file over HTTPS with a verified certificate (RFC 8461 §3.3). Anything but a plain 200
 * is a failure; redirects are not followed.
 */
export function createPolicyFetcher(options: FetchPolicyOptions): (domain: string) => Promise<FetchedPolicy> {
  const { timeout_ms = timeoutMs, allow_private = false } = options;
  return async (domain) => {
    const host = `mta-sts.${domain}`;
    const signal = AbortSignal.timeout(timeout_ms);
    const found = await options.addresses(host);
    if (found.kind !== 'found') return failed(found.kind === 'missing' ? 'no_host' : `dns_${found.reason}`);
    // The owner of the domain chooses where we connect to: never into our own network.
    const usable = found.records.filter((address) => allow_private || isPublicAddress(address)).slice(0, 8);
    if (usable.length === 0) return failed('host_not_public');
    try {
      return await get(host, { ...options, lookup: lookupIn(usable), signal });
    } catch (error) {
      return failed(signal.aborted ? 'timeout' : describe(error));
    }
  };
}

interface Getting extends FetchPolicyOptions {
  lookup: LookupFunction;
  signal: AbortSignal;
}

async function get(
  host: string,
  { port = 443, ca, lookup, signal, max_bytes }: Getting,
): Promise<FetchedPolicy> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const path = '/.well-known/mta-sts.txt';
  const headers = { accept: 'text/plain', connection: 'close' };
  const tls = { ...(ca !== undefined && { ca }), rejectUnauthorized: true };
  const call = request({ host, port, path, headers, lookup, signal, agent: false, ...tls });
  call.on('response', resolve).on('error', reject).end();
  const response = await promise;
  try {
    if (response.statusCode !== 200) return failed(`status_${response.statusCode ?? 0}`);
    // RFC 8461 §3.2: a host that lets users upload pages must not thereby let them publish policies.
    if (!/^text\/plain(?:\s*;|\s*$)/i.test(response.headers['content-type'] ?? ''))
      return failed('media_type');
    return await readText(response, max_bytes ?? maxPolicyBytes);
  } finally {
    call.destroy();
  }
}

async function readText(response: IncomingMessage, maxBytes: number): Promise<FetchedPolicy> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return failed('too_large');
    chunks.push(chunk);
  }
  return { kind: 'fetched', text: Buffer.concat(chunks).toString('utf8') };
}

function describe(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
  return code.toLowerCase();
}

function failed(reason: string): FetchedPolicy {
  return { kind: 'failed', reason };
}
