import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { ByteHold } from '../../protocol/byte-budget.ts';
import { createBodyMemory, defaultBodyMemory, type BodyMemory } from '../body-memory.ts';
import { Problem } from '../errors/problem.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Authenticate, Caller, OperatorCaller } from './access.ts';
import { registerBodyParsing, type BodyLimits } from './body.ts';
import { answerByHand, answerClientError } from './client-error.ts';
import type { Operation } from './operation.ts';
import { hasMalformedPath, routableUrl } from './path-encoding.ts';
import { problemResponse, type ProblemResponse } from './problem-response.ts';
import { logFailure } from './failure-log.ts';
import { hostProblem, problemOf } from './request-errors.ts';
import { requestIdOf, traceIdOf } from './request-identity.ts';
import { recordEnd } from './request-log.ts';
import { collectRoutes } from './route-index.ts';
import { registerOperation } from './serve-operation.ts';
import { undecodable } from './undecodable.ts';
import { endUnread } from './unread-answer.ts';
import { discardUnread } from './unread-body.ts';

declare module 'fastify' {
  interface FastifyRequest {
    trace_id: string;
    arrived_at: number;
    caller: Caller | OperatorCaller | undefined;
    /** What the body has of the process's memory; the handler of an operation takes it over. */
    body_hold: ByteHold | undefined;
  }
  interface FastifyInstance {
    body_memory: BodyMemory;
  }
  interface FastifyContextConfig {
    operation_id?: string;
    /** Asked every few seconds by supervisors and balancers. */
    is_probe?: boolean;
    /** What is sent to an operation without a body is neither read nor validated. */
    ignores_body?: boolean;
    /** A path that cannot be decoded is told as 422, once it is known who asks. */
    never_bad_request?: boolean;
    json_values_factor?: number;
    /** Numbers in lists, beside those values: attachments as lists of octets. */
    json_numbers?: number;
    /** Set where a multipart body is taken. */
    max_file_bytes?: number;
    /** Answers a refusal in another form than a problem document. */
    refusal?: (problem: Problem, request: FastifyRequest) => ProblemResponse;
  }
}

export interface HttpAppOptions {
  operations: Operation[];
  /** HTML pages and other routes that are not operations of the API. */
  pages: ((app: FastifyInstance, options: Pick<HttpAppOptions, 'base_url' | 'authenticate'>) => void)[];
  /** Answers a request before the application sees it, with none of its conventions; tells whether it did. */
  shortcut?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Where a URL of another form leads, before the request is routed. */
  rewrite?: (url: string, request: IncomingMessage) => string;
  authenticate: Authenticate;
  base_url: string;
  trust_proxy: boolean | number | string[];
  log: Log;
  metrics: Metrics;
  timeouts?: HttpTimeouts;
  body_limits?: BodyLimits;
  /** Shared with the other listeners of the process. */
  body_memory?: BodyMemory;
}

/** Slow senders are cut off, and clients that do not read. */
export interface HttpTimeouts {
  headers_ms: number;
  /** The whole request, its body included. */
  request_ms: number;
  /** How often connections are looked at. */
  check_ms: number;
  /** An answer of which the client takes nothing for this long. */
  unread_ms?: number;
}

const defaultTimeouts: HttpTimeouts = { headers_ms: 20_000, request_ms: 120_000, check_ms: 5_000 };

/** No header section is longer, so no path can be either. */
const maxHeaderBytes = 16 * 1024;

const defaultUnreadMs = 60_000;

const keepAliveMs = 72_000;

/** JSON bodies of ordinary operations; routes that take mail set their own limit. */
const defaultBodyLimit = 1024 * 1024;

/** The one HTTP application: every convention of the API holds for a route by its being registered here. */
export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const { timeouts = defaultTimeouts, body_memory = createBodyMemory(defaultBodyMemory) } = options;
  const app = Fastify({
    loggerInstance: withoutChildren(options.log),
    // One line per request, written in `recordEnd`.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: defaultBodyLimit,
    trustProxy: trusted(options.trust_proxy) as never,
    rewriteUrl: rewriting(options.rewrite),
    genReqId: (request) => requestIdOf(request.headers),
    requestTimeout: timeouts.request_ms,
    http: {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: timeouts.headers_ms,
      connectionsCheckingInterval: timeouts.check_ms,
      requireHostHeader: false,
    },
    keepAliveTimeout: keepAliveMs,
    ...(options.shortcut ? { serverFactory: serverWith(options.shortcut, timeouts) } : {}),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: maxHeaderBytes, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply): void => {
      identify(request, reply);
      recordEnd(request, reply, options);
      void sendProblem(reply, malformedPath(error));
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, options.base_url),
  });
  const routes = collectRoutes(app);

  const sendProblem = (reply: FastifyReply, problem: Problem): FastifyReply => {
    const { request } = reply;
    const { id: request_id, trace_id, routeOptions } = request;
    const { status, headers, body } =
      routeOptions.config?.refusal?.(problem, request) ??
      problemResponse(problem, { base_url: options.base_url, request_id, trace_id });
    // The framework asks to close after a bad body; the connection is still good once the rest of it is read.
    reply.removeHeader('connection');
    discardUnread(reply.request.raw);
    return reply.code(status).headers(headers).send(JSON.stringify(body));
  };
  answerOddRequests(app, options);

  app.decorateRequest('trace_id', '');
  app.decorateRequest('arrived_at', 0);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('body_hold', undefined);
  app.decorateRequest('body_digest', undefined);
  app.decorate('body_memory', body_memory);
  endUnread(app.server, timeouts.unread_ms ?? defaultUnreadMs);
  // With a callback, since nothing here waits: a promise for each request would be for nothing.
  app.addHook('onRequest', (request, reply, done) => {
    identify(request, reply);
    recordEnd(request, reply, options);
    // Before the body is read: what it is does not matter where nothing takes it.
    const { url, config } = request.routeOptions;
    const nowhere = request.is404 || lacksParam(request) || routes.isOfOtherRoute(request.url, url);
    const refusal =
      hostProblem(request) ??
      (nowhere ? unroutable(request, routes.methodsAt(request.url)) : undefined) ??
      pathProblem(request);
    // Many clients name a type with an empty POST; without one the framework does not look for a parser of it.
    if (config.ignores_body) delete request.raw.headers['content-type'];
    done(refusal);
  });
  app.setErrorHandler((error, request, reply) => {
    const problem = neverBad(problemOf(error, request), request);
    logFailure(options.log, { error, problem, request });
    return sendProblem(reply, problem);
  });
  // For a page that finds nothing to show; unknown routes are refused before.
  app.setNotFoundHandler(async (_request, reply) => await sendProblem(reply, new Problem('not_found')));

  registerBodyParsing(app, options.body_limits);
  for (const page of options.pages) page(app, options);
  for (const operation of options.operations) registerOperation(app, operation, options.authenticate);
  return app;
}

/** The framework wants a child for each request, which costs more than it tells, as does its way to be talked out of it. */
function withoutChildren(log: Log): FastifyBaseLogger {
  const childless: FastifyBaseLogger = Object.create(log, { child: { value: () => childless } });
  return childless;
}

function rewriting(rewrite: HttpAppOptions['rewrite']): (request: IncomingMessage) => string {
  return rewrite ? (request) => rewrite(routableUrl(request), request) : routableUrl;
}

/** The server that the framework would make, with a way around it. One that is closing is left to the framework. */
function serverWith(shortcut: NonNullable<HttpAppOptions['shortcut']>, { request_ms }: HttpTimeouts) {
  return (handle: (request: IncomingMessage, response: ServerResponse) => void, options: object): Server => {
    const { http } = options as { http: object };
    const server = createServer(http, (request, response) => {
      if (!server.listening || !shortcut(request, response)) handle(request, response);
    });
    server.keepAliveTimeout = keepAliveMs;
    server.requestTimeout = request_ms;
    return server;
  };
}

/**
 * A number is how many proxies stand between us and the world, each of which adds the address it saw. The framework
 * takes numbers too, but then trusts no proxy, since it cannot know that callers have no way around the proxies.
 */
function trusted(proxies: HttpAppOptions['trust_proxy']): unknown {
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies;
}

function identify(request: FastifyRequest, reply: FastifyReply): void {
  request.arrived_at = performance.now();
  request.trace_id = traceIdOf(request.headers);
  reply.headers({
    'x-request-id': request.id,
    'x-trace-id': request.trace_id,
    'x-content-type-options': 'nosniff',
  });
}

/** The router takes `/v1/fields/` for `/v1/fields/{id}` with an empty id; here the route does not exist. */
function lacksParam({ params }: FastifyRequest): boolean {
  for (const name in params as Record<string, string>) {
    if ((params as Record<string, string>)[name] === '' && name !== '*') return true;
  }
  return false;
}

function unroutable({ raw }: FastifyRequest, allow: string[]): Problem {
  if (allow.length > 0) return new Problem('method_not_allowed', { allow });
  return hasMalformedPath(raw) ? malformedPath() : new Problem('not_found');
}

function pathProblem(request: FastifyRequest): Problem | undefined {
  if (!hasMalformedPath(request.raw)) return undefined;
  return request.routeOptions.config.never_bad_request ? undefined : malformedPath();
}

/** Where nothing is answered with 400 (contract §11), what cannot be read is a violation like any other. */
function neverBad(problem: Problem, { routeOptions }: FastifyRequest): Problem {
  if (problem.code !== 'bad_request' || !routeOptions.config.never_bad_request) return problem;
  return undecodable(problem.message);
}

function malformedPath(cause?: unknown): Problem {
  return new Problem('bad_request', { detail: 'The path is malformed.', cause });
}

/** Requests that Node answers by itself, without a problem document, unless someone else does. */
function answerOddRequests({ server }: FastifyInstance, options: HttpAppOptions): void {
  // An expectation that is unknown to us may be ignored (RFC 9110 §10.1.1).
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
  server.on('connect', (_request, socket) => {
    answerByHand(
      socket,
      new Problem('bad_request', { detail: 'This server is not a proxy.' }),
      options.base_url,
    );
  });
}
