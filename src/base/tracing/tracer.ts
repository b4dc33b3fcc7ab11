import { randomBytes } from 'node:crypto';
import { Counter, type Registry } from 'prom-client';
import { createLoop } from '../engine/loop.ts';
import type { Log } from '../log.ts';
import { traceRequest, type Resource } from './otlp.ts';
import { spanOf, traceOfMessage, type Span } from './span.ts';

export interface TracerOptions {
  /** Base URL of an OTLP receiver over HTTP; `/v1/traces` is added. */
  endpoint: string;
  /** For its authorization, so never to be logged. */
  headers: Record<string, string>;
  /** Share of the messages that are traced. */
  percent: number;
  resource: Resource;
  log: Log;
  registry: Registry;
  /** Of one request, and of all that a stop still sends. */
  timeout_ms?: number;
}

/** What a step says of itself; the identifiers come from the message and the mail. */
export type Step = Omit<Span, 'trace_id' | 'span_id' | 'parent_span_id'>;

export interface Tracer {
  /** The root of the trace: a message was accepted. */
  message(msg_id: string, step: Step): void;
  /** All that happened to one mail. */
  mail(msg_id: string, mail_id: string, step: Step): void;
  /** A part of what happened to it. */
  part(msg_id: string, mail_id: string, step: Step): void;
  /** Sends what waits; gives up at the first failure, or when its time is over. */
  stop(): Promise<void>;
}

const maxWaiting = 8_192;
const maxPerRequest = 512;
const everyMs = 1_000;
/** OTLP/HTTP: after these the same spans may be sent again. */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Sends spans to a receiver. Tracing never delays mail: what does not fit into the queue is dropped and counted. */
export function createTracer(options: TracerOptions): Tracer {
  const { percent, registry, log, timeout_ms = 5_000 } = options;
  const post = createPost(options);
  const queue: Span[] = [];
  const spans = new Counter({
    name: 'chasqui_trace_spans_total',
    help: 'Spans by result: sent to the receiver, or dropped.',
    labelNames: ['result'],
    registers: [registry],
  });

  function settle(count: number, result: 'sent' | 'dropped'): void {
    queue.splice(0, count);
    spans.inc({ result }, count);
  }

  async function sendBatch(signal = AbortSignal.timeout(timeout_ms)): Promise<void> {
    const batch = queue.slice(0, maxPerRequest);
    const status = await post(batch, signal);
    if (retryable.has(status)) throw new Error(`The receiver of traces answered ${status}.`);
    const isTaken = status >= 200 && status < 300;
    settle(batch.length, isTaken ? 'sent' : 'dropped');
    if (!isTaken) throw new Error(`The receiver of traces refused ${batch.length} spans with ${status}.`);
  }

  const loop = createLoop({
    name: 'sending traces',
    log,
    async step() {
      if (queue.length > 0) await sendBatch();
      return queue.length >= maxPerRequest ? 0 : everyMs;
    },
  });

  /** By the message, so that all nodes agree. */
  const isTraced = (msg_id: string): boolean => Number.parseInt(msg_id.slice(-6), 16) % 100 < percent;

  function record(msg_id: string, span: Omit<Span, 'trace_id'>): void {
    if (!isTraced(msg_id)) return;
    if (queue.length >= maxWaiting) {
      spans.inc({ result: 'dropped' });
      return;
    }
    queue.push({ ...span, trace_id: traceOfMessage(msg_id) });
    loop.start();
  }

  return {
    message: (msg_id, step) => record(msg_id, { ...step, span_id: spanOf(msg_id) }),
    mail: (msg_id, mail_id, step) =>
      record(msg_id, { ...step, span_id: spanOf(mail_id), parent_span_id: spanOf(msg_id) }),
    part: (msg_id, mail_id, step) =>
      record(msg_id, { ...step, span_id: randomBytes(8).toString('hex'), parent_span_id: spanOf(mail_id) }),
    async stop() {
      await loop.stop();
      const signal = AbortSignal.timeout(timeout_ms);
      try {
        while (queue.length > 0) await sendBatch(signal);
      } catch (error) {
        log.warn({ err: error, spans: queue.length }, 'traces were not sent before the stop');
        settle(queue.length, 'dropped');
      }
    },
  };
}

/** Resolves with the status of the answer. */
type Post = (spans: Span[], signal: AbortSignal) => Promise<number>;

function createPost({ endpoint, headers, resource }: TracerOptions): Post {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  return async (spans, signal) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(traceRequest(resource, spans)),
      signal,
      redirect: 'error',
    });
    await response.body?.cancel();
    return response.status;
  };
}
