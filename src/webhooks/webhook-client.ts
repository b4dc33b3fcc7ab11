import type { Agent, Dispatcher } from 'undici';
import { EndpointRefused, type EndpointPolicy } from './endpoint-address.ts';

export interface Delivery {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What came of posting a delivery. `error` is null when the endpoint answered with 2xx. */
export interface Answer {
  status_code: number | null;
  error: string | null;
  latency_ms: number;
  /** The beginning of what it said: for people who look for a mistake. */
  headers: Record<string, string>;
  body: string;
}

export interface WebhookClient {
  post(delivery: Delivery): Promise<Answer>;
  /** Gives up what is under way. */
  stop(): Promise<void>;
}

interface ClientOptions {
  policy: EndpointPolicy;
  connect_timeout_ms?: number;
  total_timeout_ms?: number;
}

const max_read = 64 * 1024;
const max_kept = 1_000;
const headers_kept = 20;

/**
 * Posts to endpoints of others. No bound on connections is needed here: each delivery under way has one, and how many
 * there are is bounded by the caller, webhook by webhook. A bound per host would let one customer's endpoint hold up
 * another's at the same provider.
 */
export function createWebhookClient(options: ClientOptions): WebhookClient {
  const { policy, connect_timeout_ms = 3_000, total_timeout_ms = 10_000 } = options;
  let agent: Promise<Agent> | undefined;
  const underWay = new Set<AbortController>();

  /** The first delivery loads undici, which takes 10 MB that a service without webhooks has no use for. */
  async function openAgent(): Promise<Agent> {
    const { createGuardedAgent } = await import('./guarded-agent.ts');
    return createGuardedAgent({ policy, connect_timeout_ms });
  }

  async function exchange(connections: Agent, { url, headers, body }: Delivery, signal: AbortSignal) {
    const { origin, pathname, search } = new URL(url);
    const response = await connections.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers,
      body,
      signal,
    });
    const status_code = response.statusCode;
    return { status_code, headers: keepHeaders(response.headers), body: await beginningOf(response) };
  }

  return {
    async post(delivery) {
      const connections = await (agent ??= openAgent());
      const began = performance.now();
      const latency = (): number => Math.round(performance.now() - began);
      const giveUp = new AbortController();
      const state = { is_late: false };
      // Not AbortSignal.timeout: it lives on for its ten seconds when the answer came in ten milliseconds.
      const timer = setTimeout(() => {
        state.is_late = true;
        giveUp.abort();
      }, total_timeout_ms);
      underWay.add(giveUp);
      try {
        const answer = await exchange(connections, delivery, giveUp.signal);
        return { ...answer, latency_ms: latency(), error: errorOf(answer.status_code) };
      } catch (error) {
        const reason = state.is_late ? 'timeout' : describe(error);
        return { status_code: null, error: reason, latency_ms: latency(), headers: {}, body: '' };
      } finally {
        clearTimeout(timer);
        underWay.delete(giveUp);
      }
    },
    async stop() {
      for (const giveUp of underWay) giveUp.abort();
      await (await agent)?.destroy();
    },
  };
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect_refused' : `status_${status}`;
}

/** The status counts, whatever becomes of the body: it may be cut short or never end. */
async function beginningOf({ body }: Dispatcher.ResponseData): Promise<string> {
  const kept: Buffer[] = [];
  let read = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (read < max_kept) kept.push(chunk.subarray(0, max_kept - read));
      read += chunk.length;
      if (read > max_read) break;
    }
  } catch {
    // Lost or out of time on the way.
  }
  return storable(Buffer.concat(kept).toString('utf8'));
}

function keepHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept = Object.entries(headers).slice(0, headers_kept);
  return Object.fromEntries(
    kept.map(([name, value]) => [storable(name.slice(0, 100)), storable(String(value).slice(0, 300))]),
  );
}

/** PostgreSQL takes neither NUL nor half a surrogate pair. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}');
}

/** It was given up here, which says nothing of the endpoint. */
export const stopped = 'stopped';

const words: Record<string, string> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ETIMEDOUT: 'connect_timeout',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  UND_ERR_SOCKET: 'connection_closed',
  UND_ERR_HEADERS_OVERFLOW: 'malformed_response',
  UND_ERR_DESTROYED: stopped,
};

function describe(error: unknown): string {
  if (error instanceof EndpointRefused) return error.reason;
  if (error instanceof Error && error.name === 'AbortError') return stopped;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
  if (code.startsWith('HPE_')) return 'malformed_response';
  const isTls = /CERT|SIGNATURE|TLS|SSL|ISSUER/.test(code);
  return words[code] ?? (isTls ? `tls_${code.toLowerCase()}` : code.toLowerCase());
}
