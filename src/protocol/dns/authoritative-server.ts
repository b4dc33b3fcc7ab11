import { answer } from './answer-query.ts';
import type { AnswerPacket } from './answer-query.ts';
import { bindBothTransports, closeTransports } from './bind-both-transports.ts';
import { createResponseRateLimit } from './response-rate-limit.ts';
import type { RateLimitOptions, RateVerdict } from './response-rate-limit.ts';
import { serveTcp } from './tcp-listener.ts';
import type { TcpLimits } from './tcp-listener.ts';
import { serveUdp } from './udp-listener.ts';
import type { Rcode } from './write-response.ts';
import type { Zone } from './zone.ts';

export interface AuthoritativeServerOptions {
  zone: Zone;
  onAnswer?: (rcode: Rcode) => void;
  /** A UDP query over its network's rate, or over what this server holds at once. */
  onLimited?: (verdict: Exclude<RateVerdict, 'answer'>) => void;
  /** Failed lookups (the client got SERVFAIL) and socket errors. */
  onError?: (error: unknown) => void;
  rate_limit?: Partial<RateLimitOptions>;
  tcp?: Partial<TcpLimits>;
  /** After this a lookup counts as failed. */
  lookup_timeout_ms?: number;
  max_pending_udp?: number;
  /** Monotonic milliseconds. */
  now?: () => number;
}

export interface AuthoritativeServer {
  start(where: { host: string; port: number }): Promise<{ host: string; port: number }>;
  stop(): Promise<void>;
}

const rateLimit: RateLimitOptions = { per_second: 200, burst: 400, max_sources: 20_000 };
const tcpLimits: TcpLimits = {
  idle_timeout_ms: 10_000,
  max_query_bytes: 4096,
  max_pipelined: 32,
  max_connections: 256,
  max_connections_per_source: 32,
};

export function createAuthoritativeServer(options: AuthoritativeServerOptions): AuthoritativeServer {
  let running: { stop: () => Promise<void> } | undefined;
  return {
    async start({ host, port }) {
      if (running !== undefined) throw new Error('the DNS server is already running');
      const started = await startServing(options, { host, port });
      running = started;
      return { host, port: started.port };
    },
    async stop() {
      const stopping = running;
      running = undefined;
      await stopping?.stop();
    },
  };
}

async function startServing(
  options: AuthoritativeServerOptions,
  where: { host: string; port: number },
): Promise<{ port: number; stop: () => Promise<void> }> {
  const zone = withLookupTimeout(options.zone, options.lookup_timeout_ms ?? 3000);
  const onError = (error: unknown): void => options.onError?.(error);

  async function answerOver(transport: 'udp' | 'tcp', packet: Buffer): Promise<AnswerPacket | undefined> {
    const reply = await answer(zone, packet, transport);
    if (reply !== undefined) options.onAnswer?.(reply.rcode);
    if (reply?.error !== undefined) onError(reply.error);
    return reply;
  }

  const transports = await bindBothTransports(where);
  const { udp, tcp, port } = transports;
  udp.on('error', onError);
  tcp.on('error', onError);
  const now = options.now ?? (() => performance.now());
  const silence = serveUdp(udp, {
    answer: async (packet) => await answerOver('udp', packet),
    rate_limit: createResponseRateLimit({ ...rateLimit, ...options.rate_limit }, now),
    max_pending: options.max_pending_udp ?? 1000,
    onLimited: (verdict) => options.onLimited?.(verdict),
    onSendError: onError,
  });
  const hangUp = serveTcp(tcp, async (packet) => (await answerOver('tcp', packet))?.packet, {
    ...tcpLimits,
    ...options.tcp,
  });
  return {
    port,
    async stop() {
      silence();
      hangUp();
      await closeTransports(transports);
    },
  };
}

function withLookupTimeout(zone: Zone, milliseconds: number): Zone {
  async function lookup(name: string): ReturnType<Zone['lookup']> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const fail = (): void => reject(new Error(`no answer for ${name} within ${milliseconds} ms`));
    const timer = setTimeout(fail, milliseconds);
    try {
      return await Promise.race([zone.lookup(name), late]);
    } finally {
      clearTimeout(timer);
    }
  }
  return { origin: zone.origin, soa: zone.soa, ns: zone.ns, lookup };
}
