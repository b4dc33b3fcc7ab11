import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { wallClock, type Clock } from './movable-clock.ts';
import {
  selfSignedCertificate,
  type SelfSignedCertificate,
} from '../../src/protocol/tls/self-signed-certificate.ts';
import { waitFor } from './wait-for.ts';

export interface SinkRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** As it came, before any decoding. */
  body: Buffer;
  at: Date;
}

/** `hang` never answers; `drop` destroys the socket. */
export type SinkResponse =
  | 'hang'
  | 'drop'
  | {
      status?: number;
      headers?: Record<string, string>;
      /** An async iterable can drip, or never end. */
      body?: string | Buffer | AsyncIterable<Buffer>;
      delay_ms?: number;
    };
export type SinkStep = SinkResponse | ((request: SinkRequest) => SinkResponse | Promise<SinkResponse>);

export interface SinkOptions {
  tls?: boolean | SelfSignedCertificate;
  host?: string;
  port?: number;
  respond?: SinkStep;
  clock?: Clock;
}

export interface WebhookSink {
  host: string;
  port: number;
  /** `http://127.0.0.1:port`, or https, without a slash at the end. */
  url: string;
  /** What to trust, when it speaks TLS. */
  certificate: SelfSignedCertificate | undefined;
  /** Each once its body has arrived whole. */
  requests: SinkRequest[];
  /** TCP connections accepted, so that a test can prove there was none. */
  connections: number;
  /** From now on the first request gets the first step and so on; the last step stays. */
  respond: (...steps: readonly [SinkStep, ...SinkStep[]]) => void;
  waitForRequests: (count: number, timeout_ms?: number) => Promise<SinkRequest[]>;
  /** Cuts every connection, and may be called again; throws what a step's function threw. */
  stop: () => Promise<void>;
}

/** An HTTP or HTTPS server on loopback that records each request and answers as told (200, at first). */
export async function startWebhookSink(options: SinkOptions = {}): Promise<WebhookSink> {
  const { host = '127.0.0.1', port = 0, tls = false, clock = wallClock } = options;
  const certificate = certificateFor(tls, host);
  const failures: unknown[] = [];
  let nextStep = sequenceOf([options.respond ?? { status: 200 }]);
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await receive(incoming, clock);
    const step = nextStep();
    sink.requests.push(request);
    await play(typeof step === 'function' ? await step(request) : step, response);
  };
  const listener = (incoming: IncomingMessage, response: ServerResponse) => {
    answer(incoming, response).catch((error: unknown) => {
      // A client that left in the middle is its own affair; anything else is a fault of the script.
      if (!incoming.socket.destroyed) failures.push(error);
      incoming.socket.destroy();
    });
  };
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener);
  const sink: WebhookSink = {
    host,
    port,
    url: '',
    certificate,
    requests: [],
    connections: 0,
    respond: (...steps) => {
      nextStep = sequenceOf(steps);
    },
    waitForRequests: async (count, timeout_ms = 20_000) => {
      const what = () => `${count} requests at ${sink.url} (${sink.requests.length} came)`;
      return await waitFor(() => sink.requests.length >= count && sink.requests, { timeout_ms, what });
    },
    stop: stopperOf(server, failures),
  };
  server.on('connection', () => (sink.connections += 1));
  server.listen(port, host);
  await once(server, 'listening');
  sink.port = (server.address() as AddressInfo).port;
  sink.url = `${certificate ? 'https' : 'http'}://${host}:${sink.port}`;
  return sink;
}

async function receive(incoming: IncomingMessage, clock: Clock): Promise<SinkRequest> {
  const body = await buffer(incoming);
  const { method = '', url: path = '', headers } = incoming;
  return { method, path, headers, body, at: clock.now() };
}

function stopperOf(server: Server, failures: readonly unknown[]): () => Promise<void> {
  // Not closeAllConnections: it does not know those that are still before their TLS handshake.
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const end = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
    if (failures.length > 0) throw failures[0];
  };
  let ended: Promise<void> | undefined;
  return () => (ended ??= end());
}

function certificateFor(
  tls: boolean | SelfSignedCertificate,
  host: string,
): SelfSignedCertificate | undefined {
  if (typeof tls === 'object') return tls;
  const anHourAgo = new Date(Date.now() - 3_600_000);
  return tls ? selfSignedCertificate({ names: ['localhost', host], valid_from: anHourAgo }) : undefined;
}

function sequenceOf(steps: readonly [SinkStep, ...SinkStep[]]): () => SinkStep {
  let next = 0;
  return () => steps[Math.min(next++, steps.length - 1)] ?? steps[0];
}

async function play(step: SinkResponse, response: ServerResponse): Promise<void> {
  if (step === 'hang') return;
  if (step === 'drop') {
    response.socket?.destroy();
    return;
  }
  const { status = 200, headers = {}, body = '', delay_ms = 0 } = step;
  const left = new AbortController();
  response.once('close', () => left.abort());
  await sleep(delay_ms, undefined, { signal: left.signal });
  response.writeHead(status, headers);
  if (typeof body === 'string' || Buffer.isBuffer(body)) response.end(body);
  else await pipeline(Readable.from(body), response);
}
