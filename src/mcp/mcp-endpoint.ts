import type { JSONRPCMessage, Server } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../base/http/access.ts';
import { cachedFor } from '../base/cached-for.ts';
import { Problem } from '../base/errors/problem.ts';
import type { HttpAppOptions } from '../base/http/app.ts';
import { authenticated } from '../base/http/authenticate-request.ts';
import type { Exchange } from './call-tool.ts';
import { exchangeMessage } from './exchange-transport.ts';
import { createServer, type McpOptions, type Sdk } from './mcp-server.ts';

/** Headers of the protocol; all others are the service's own affair. */
const protocolHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Bodies of tools that say nothing of their own. */
const defaultBodyBytes = 1024 * 1024;

/**
 * `POST /mcp`, streamable HTTP without sessions: every request is authenticated, counted and answered by itself, with one
 * JSON body. Two generations of the protocol come in: requests of 2025 and before, and those of 2026, which carry all that a
 * session used to know.
 */
export function mcpEndpoint(options: McpOptions) {
  const { tools } = options;
  const largest = Math.max(...[...tools.values()].map(({ operation }) => operation.max_body_bytes ?? 0));
  return (app: FastifyInstance, { authenticate }: Pick<HttpAppOptions, 'authenticate'>): void => {
    refuseOAuth(app);
    app.route({
      method: 'POST',
      url: '/mcp',
      config: { operation_id: 'mcp' },
      bodyLimit: Math.max(largest, defaultBodyBytes),
      onRequest: [
        async (request: FastifyRequest) => refuseForeignOrigin(request, options.base_url),
        explainRefusal(authenticated(authenticate, { kind: 'api_key' })),
      ],
      handler: async (request, reply) => {
        if (!request.caller?.instance) throw new Problem('unauthorized');
        const caller: Caller = { ...request.caller, via: 'mcp' };
        request.caller = caller;
        const answer = await answerMessage(options, { request, reply, caller });
        reply.code(answer.status).header('cache-control', 'no-store');
        if (answer.body !== '') reply.header('content-type', 'application/json; charset=utf-8');
        return answer.body;
      },
    });
  };
}

const howToAuthenticate =
  'This server takes an API key and has no OAuth: configure your client to send the header `Authorization: Bearer chq.…`. ' +
  'The header `X-Instance-Slug` can be left out; if it is sent, it must be the slug of the instance that the key belongs to.';

/** The same words for every cause, as everywhere: clients show them, and people set their client up by them. */
function explainRefusal(
  authenticate: (request: FastifyRequest) => Promise<void>,
): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    await authenticate(request).catch((error: unknown) => {
      const isRefused = error instanceof Problem && error.code === 'unauthorized';
      throw isRefused ? new Problem('unauthorized', { detail: howToAuthenticate }) : error;
    });
  };
}

/** Where clients look for OAuth after a 401 (RFC 9728 §3, RFC 8414 §3, RFC 7591 §3), and what they show when it is not there. */
function refuseOAuth(app: FastifyInstance): void {
  const refuse = async (): Promise<never> => {
    throw new Problem('not_found', { detail: howToAuthenticate });
  };
  for (const kind of ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration']) {
    for (const path of ['', '/mcp']) app.get(`/.well-known/${kind}${path}`, refuse);
  }
  app.post('/register', refuse);
}

/** A page of a stranger that a browser shows must not talk to us with what its visitor has, by DNS rebinding or otherwise. */
function refuseForeignOrigin({ headers }: FastifyRequest, base_url: string): void {
  const { origin } = headers;
  if (origin === undefined || origin === new URL(base_url).origin) return;
  throw new Problem('forbidden', { detail: 'Pages of this Origin may not use the MCP server.' });
}

interface Answer {
  status: number;
  /** JSON, or nothing. */
  body: string;
}

const loadSdk = cachedFor<Sdk>(Infinity, async () => await import('@modelcontextprotocol/server'));

async function answerMessage(options: McpOptions, exchange: Exchange): Promise<Answer> {
  const { body, headers } = exchange.request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    // Batches were only in one revision of 2025, and would count as one request.
    throw new Problem('bad_request', { detail: 'The body must be one JSON-RPC message.' });
  }
  const sdk = await loadSdk();
  const create = (): Server => createServer(sdk, options, exchange);
  const revision = headers['mcp-protocol-version'];
  const { kind } = sdk.classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(typeof revision === 'string' ? { protocolVersionHeader: revision } : {}),
  });
  if (kind !== 'legacy') return await answerModern(sdk, create, exchange);
  if (typeof revision === 'string' && !sdk.SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) {
    throw new Problem('bad_request', { detail: 'This MCP-Protocol-Version is not supported.' });
  }
  const answer = await exchangeMessage(create(), body as JSONRPCMessage);
  return answer ? { status: 200, body: JSON.stringify(answer) } : { status: 202, body: '' };
}

/** Nothing that could be subscribed to ever changes, and no answer is a stream. */
async function answerModern(sdk: Sdk, create: () => Server, { request }: Exchange): Promise<Answer> {
  const handler = sdk.createMcpHandler(create, { legacy: 'reject', maxSubscriptions: 0, keepAliveMs: 0 });
  const response = await handler.fetch(messageOf(request), { parsedBody: request.body });
  return { status: response.status, body: await response.text() };
}

/** For the protocol's own checks. It does not negotiate: the answer is always JSON. */
function messageOf({ headers: given }: FastifyRequest): Request {
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  });
  for (const name of protocolHeaders) {
    const value = given[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers });
}
