import type { Agent, Dispatcher } from 'undici';
import { storableText } from '../base/db/storable-text.ts';
import { EndpointRefused, type EndpointPolicy } from '../base/outbound/endpoint-address.ts';

export interface Delivery {
  url: string;
  headers: Record<string, string>;
  /** Names of headers whose values are not logged. */
  hidden?: string[];
  body: string;
}

/** The result of a request. `error` is null when the endpoint answered with 2xx. */
export interface Answer {
  status_code: number | null;
  error: string | null;
  latency_ms: number;
  /** Truncated, for the delivery log. */
  headers: Record<string, string>;
  body: string;
  /** `Retry-After` of a 429 or 503. */
  retry_after?: string;
}

export interface WebhookClient {
  post(delivery: Delivery): Promise<Answer>;
  /** Aborts the running requests. */
  stop(): Promise<void>;
}

interface ClientOptions {
  policy: EndpointPolicy;
  connect_timeout_ms?: number;
  total_timeout_ms?: number;
}

const maxRead = 64 * 1024;
const maxKept = 1_000;
const headers_kept = 20;

/**
 * Posts to customers' endpoints. Connections need no limit here: the caller limits deliveries per webhook. A limit per host
 * would let one customer's endpoint delay another's at the same hosting provider.
 */
export function createWebhookClient(options: ClientOptions): WebhookClient {
  const { policy, connect_timeout_ms = 3_000, total_timeout_ms = 10_000 } = options;
  let agent: Promise<Agent> | undefined;
  const running = new Set<AbortController>();

  /** Lazy: undici takes 10 MB, which a service without webhooks does not need. */
  async function openAgent(): Promise<Agent> {
    const { createGuardedAgent } = await import('../base/outbound/guarded-agent.ts');
    return createGuardedAgent({ policy, connect_timeout_ms });
  }

  function tryAgain(error: unknown): never {
    agent = undefined;
    throw error;
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
    return {
      status_code,
      headers: keepHeaders(response.headers),
      body: await beginningOf(response),
      ...retryAfter(status_code, response.headers),
    };
  }

  return {
    async post(delivery) {
      const connections = await (agent ??= openAgent().catch(tryAgain));
      const began = performance.now();
      const latency = (): number => Math.round(performance.now() - began);
      const request = new AbortController();
      const state = { is_late: false };
      // Not AbortSignal.timeout: its timer would stay for ten seconds after an answer in ten milliseconds.
      const timer = setTimeout(() => {
        state.is_late = true;
        request.abort();
      }, total_timeout_ms);
      running.add(request);
      try {
        const answer = await exchange(connections, delivery, request.signal);
        return { ...answer, latency_ms: latency(), error: errorOf(answer.status_code) };
      } catch (error) {
        const reason = state.is_late ? 'timeout' : describe(error);
        return { status_code: null, error: reason, latency_ms: latency(), headers: {}, body: '' };
      } finally {
        clearTimeout(timer);
        running.delete(request);
      }
    },
    async stop() {
      for (const request of running) request.abort();
      await (await agent)?.destroy();
    },
  };
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect_refused' : `status_${status}`;
}

function retryAfter(
  status: number,
  { 'retry-after': value }: Record<string, string | string[] | undefined>,
): Pick<Answer, 'retry_after'> {
  return (status === 429 || status === 503) && typeof value === 'string' ? { retry_after: value } : {};
}

/** Errors are ignored: the status counts, also when the body is truncated or endless. */
async function beginningOf({ body }: Dispatcher.ResponseData): Promise<string> {
  const kept: Buffer[] = [];
  let read = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (read < maxKept) kept.push(chunk.subarray(0, maxKept - read));
      read += chunk.length;
      if (read > maxRead) break;
    }
  } catch {
    // The connection was closed or timed out.
  }
  return storableText(Buffer.concat(kept).toString('utf8'));
}

function keepHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept = Object.entries(headers).slice(0, headers_kept);
  return Object.fromEntries(
    kept.map(([name, value]) => [
      storableText(name.slice(0, 100)),
      storableText(String(value).slice(0, 300)),
    ]),
  );
}

/** Aborted by this process; says nothing about the endpoint. */
export const stopped = 'stopped';

const reasons: Record<string, string> = {
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
  return reasons[code] ?? (isTls ? `tls_${code.toLowerCase()}` : code.toLowerCase());
}
