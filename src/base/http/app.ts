import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { problemFromError } from '../errors/from-error.ts';
import { Problem } from '../errors/problem.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Authenticate, Caller } from './access.ts';
import { registerBodyParsing, tooLarge } from './body.ts';
import { answerClientError } from './client-error.ts';
import type { Operation } from './operation.ts';
import { problemResponse } from './problem-response.ts';
import { requestIdOf, traceIdOf } from './request-identity.ts';
import { collectRoutes } from './route-index.ts';
import { registerOperation } from './serve-operation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    trace_id: string;
    arrived_at: number;
    caller: Caller | undefined;
  }
  interface FastifyContextConfig {
    operation_id?: string;
  }
}

export interface HttpAppOptions {
  operations: Operation[];
  /** HTML pages and other routes that are no operations of the API. */
  pages: ((app: FastifyInstance) => void)[];
  authenticate: Authenticate;
  base_url: string;
  trust_proxy: boolean | number | string[];
  log: Log;
  metrics: Metrics;
}

/** JSON bodies of ordinary operations; routes that take mail set their own limit. */
const default_body_limit = 1024 * 1024;

/** The one HTTP application: every convention of the API holds for a route by its being registered here. */
export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: options.log as unknown as FastifyBaseLogger,
    // One line per request, written in `record`; a child logger per request would cost more than it tells.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    bodyLimit: default_body_limit,
    trustProxy: options.trust_proxy as never,
    genReqId: (request) => requestIdOf(request.headers),
    // Slow senders are cut off: headers within 20 s, the whole request within 2 minutes.
    requestTimeout: 120_000,
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply): void => {
      identify(request, reply);
      void sendProblem(reply, new Problem('bad_request', { detail: 'The path is malformed.', cause: error }));
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, options.base_url),
  });
  const routes = collectRoutes(app);

  const sendProblem = (reply: FastifyReply, problem: Problem): FastifyReply => {
    const { status, headers, body } = problemResponse(problem, {
      base_url: options.base_url,
      trace_id: reply.request.trace_id,
    });
    return reply.code(status).headers(headers).send(JSON.stringify(body));
  };

  app.decorateRequest('trace_id', '');
  app.decorateRequest('arrived_at', 0);
  app.decorateRequest('caller', undefined);
  app.addHook('onRequest', async (request, reply) => identify(request, reply));
  app.addHook('onResponse', async (request, reply) => record(request, reply, options));
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const problem = problemOf(error, request);
    if (problem.code === 'internal_error') {
      options.log.error(
        { err: error, request_id: request.id, trace_id: request.trace_id },
        'unexpected error',
      );
    } else if (problem.code === 'service_unavailable') {
      options.log.warn(
        { err: error, request_id: request.id, trace_id: request.trace_id },
        'the store is out of reach',
      );
    }
    return sendProblem(reply, problem);
  });
  app.setNotFoundHandler(async (request, reply) => {
    const allow = routes.methodsAt(request.url);
    const problem =
      allow.length > 0 ? new Problem('method_not_allowed', { allow }) : new Problem('not_found');
    return await sendProblem(reply, problem);
  });

  registerBodyParsing(app);
  for (const page of options.pages) page(app);
  for (const operation of options.operations) registerOperation(app, operation, options.authenticate);
  return app;
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

function record(request: FastifyRequest, reply: FastifyReply, { log, metrics }: HttpAppOptions): void {
  const seconds = (performance.now() - request.arrived_at) / 1000;
  const operation = request.routeOptions.config.operation_id ?? 'none';
  metrics.http_duration.observe({ operation, status: reply.statusCode }, seconds);
  log.info(
    {
      request_id: request.id,
      trace_id: request.trace_id,
      method: request.method,
      // The pattern, not the URL: paths and queries carry addresses and tokens.
      route: request.routeOptions.url ?? null,
      operation,
      status: reply.statusCode,
      duration_ms: Math.round(seconds * 1e5) / 100,
      instance: request.caller?.instance.slug,
    },
    'request',
  );
}

/** The framework's own refusals, the store's and the rooms', all as problems; what is left is a bug. */
function problemOf(error: FastifyError, request: FastifyRequest): Problem {
  const known = problemFromError(error);
  if (known) return known;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(request.routeOptions.bodyLimit);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('unsupported_media_type');
    default:
  }
  const malformed =
    error.code?.startsWith('Z_') || (error.statusCode !== undefined && error.statusCode < 500);
  return malformed
    ? new Problem('bad_request', { detail: 'The body could not be read.', cause: error })
    : new Problem('internal_error', { cause: error });
}
