import { promises as dns } from 'node:dns';

export const dnsTroubles = [
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
export type DnsTrouble = (typeof dnsTroubles)[number];

export type DnsOutcome<T> =
  | { kind: 'found'; records: T[] }
  | { kind: 'missing' }
  | { kind: 'trouble'; reason: DnsTrouble };

export interface MxRecord {
  exchange: string;
  priority: number;
}

export interface QueryOptions {
  signal?: AbortSignal;
}

export interface Resolver {
  mx(name: string, options?: QueryOptions): Promise<DnsOutcome<MxRecord>>;
  /** One string a record: the character-strings of a TXT are joined without a space (RFC 7208 §3.3). */
  txt(name: string, options?: QueryOptions): Promise<DnsOutcome<string>>;
  /** IPv6 and IPv4 addresses of a host, in that order. */
  addresses(name: string, options?: QueryOptions): Promise<DnsOutcome<string>>;
  /** The first hop only. */
  cname(name: string, options?: QueryOptions): Promise<DnsOutcome<string>>;
}

export interface ResolverOptions {
  /** `ip:port` or `[v6]:port`; the system's resolvers when absent. */
  servers?: string[];
  /** Bound on one query, retries included. */
  timeout_ms: number;
}

type Ask<T> = (resolver: dns.Resolver) => Promise<T[]>;

const TROUBLE_BY_CODE: Record<string, DnsTrouble> = {
  ETIMEOUT: 'timeout',
  ESERVFAIL: 'servfail',
  EREFUSED: 'refused',
  ECONNREFUSED: 'unreachable',
  EBADRESP: 'malformed',
  EFORMERR: 'malformed',
  ENOTIMP: 'not_implemented',
  EBADNAME: 'bad_name',
};

export function createResolver(options: ResolverOptions): Resolver {
  // Unusable server addresses are a configuration mistake: they show here and not at the first query.
  createChannel(options);
  async function run<T>(signal: AbortSignal | undefined, ask: Ask<T>): Promise<DnsOutcome<T>> {
    return await runQuery({ options, signal }, ask);
  }
  return {
    mx: async (name, { signal } = {}) =>
      await run(signal, async (channel) =>
        (await channel.resolveMx(name)).map(({ exchange, priority }) => ({ exchange, priority })),
      ),
    txt: async (name, { signal } = {}) =>
      await run(signal, async (channel) =>
        (await channel.resolveTxt(name)).map((strings) => strings.join('')),
      ),
    async addresses(name, { signal } = {}) {
      const outcomes = await Promise.all([
        run(signal, async (channel) => await channel.resolve6(name)),
        run(signal, async (channel) => await channel.resolve4(name)),
      ]);
      const records = outcomes.flatMap((outcome) => (outcome.kind === 'found' ? outcome.records : []));
      if (records.length > 0) return { kind: 'found', records };
      return outcomes.find(({ kind }) => kind === 'trouble') ?? { kind: 'missing' };
    },
    cname: async (name, { signal } = {}) =>
      await run(signal, async (channel) => await channel.resolveCname(name)),
  };
}

/**
 * A channel for each query: cancelling a c-ares channel cancels everything on it, and a channel remembers answers
 * and slow servers, while a validation must see DNS as it is at that moment. It costs 50 µs.
 */
async function runQuery<T>(
  { options, signal }: { options: ResolverOptions; signal: AbortSignal | undefined },
  ask: Ask<T>,
): Promise<DnsOutcome<T>> {
  if (signal?.aborted) return { kind: 'trouble', reason: 'cancelled' };
  const channel = createChannel(options);
  const cancel = (): void => channel.cancel();
  const timer = setTimeout(cancel, options.timeout_ms);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const records = await ask(channel);
    return records.length > 0 ? { kind: 'found', records } : { kind: 'missing' };
  } catch (error) {
    return outcomeOfError(error, signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

function createChannel({ servers, timeout_ms }: ResolverOptions): dns.Resolver {
  // c-ares walks over all servers in each round and doubles the wait in the second: two rounds need three shares.
  const share = Math.floor(timeout_ms / (3 * Math.max(1, servers?.length ?? 1)));
  const channel = new dns.Resolver({ timeout: Math.max(100, share), tries: 2 });
  if (servers !== undefined) channel.setServers(servers);
  return channel;
}

function outcomeOfError<T>(error: unknown, signal: AbortSignal | undefined): DnsOutcome<T> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  // Without a DNS code the mistake is in this program.
  if (code === undefined || code.startsWith('ERR_')) throw error;
  if (code === 'ENOTFOUND' || code === 'ENODATA') return { kind: 'missing' };
  if (code === 'ECANCELLED')
    return { kind: 'trouble', reason: signal?.aborted === true ? 'cancelled' : 'timeout' };
  return { kind: 'trouble', reason: TROUBLE_BY_CODE[code] ?? 'failed' };
}
