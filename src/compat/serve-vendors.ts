import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import type { Authenticate, Caller } from '../base/http/access.ts';
import { authenticated } from '../base/http/authenticate-request.ts';
import { readIdempotencyKey } from '../base/http/idempotency-key.ts';
import type { FairLimiter } from '../base/fair-limiter.ts';
import type { ProblemResponse } from '../base/http/problem-response.ts';
import { parseQuery } from '../base/http/query-input.ts';
import { findUnsafeText } from '../base/http/text-safety.ts';
import type { CompatContext } from './compat-context.ts';
import { postmark } from './postmark/postmark.ts';
import { serveDownloads } from './resend/attachment-routes.ts';
import { resend } from './resend/resend.ts';
import { sendgrid } from './sendgrid/sendgrid.ts';
import { Answer, type Vendor, type VendorCall, type VendorRoute } from './vendor.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The APIs of other services, below `/compat/`. */
export function compatPages(context: CompatContext) {
  const vendors = [resend(context), postmark(context), sendgrid(context)];
  return (app: FastifyInstance, { authenticate }: { authenticate: Authenticate }): void => {
    serveDownloads(app, context);
    for (const vendor of vendors) serveVendor(app, vendor, { authenticate, searches: context.searches });
  };
}

interface Serving {
  authenticate: Authenticate;
  searches: FairLimiter;
}

function serveVendor(app: FastifyInstance, vendor: Vendor, { authenticate, searches }: Serving): void {
  const root = `/compat/${vendor.name}`;
  const config = { refusal: refusalOf(vendor) };
  for (const route of vendor.routes) {
    const {
      method,
      path,
      max_body_bytes,
      json_values_factor = 1,
      json_numbers = 0,
      is_repeatable = false,
    } = route;
    app.route({
      method,
      url: root + path,
      config: {
        ...config,
        operation_id: operationId(vendor, route),
        ignores_body: max_body_bytes === undefined,
        json_values_factor,
        json_numbers,
        is_repeatable,
      },
      ...(max_body_bytes === undefined ? {} : { bodyLimit: max_body_bytes }),
      onRequest: authenticated(authenticate, { kind: 'api_key', scope: route.scope }, (request) =>
        credentials(vendor, request),
      ),
      handler: async (request, reply) => {
        const { body_hold } = request;
        request.body_hold = undefined;
        try {
          const call = callOf(vendor, request);
          request.body = undefined;
          const handle = async (): Promise<unknown> => await route.handle(call);
          const isSearch = route.scope === 'mail:read';
          return answer(reply, await (isSearch ? searches(call.caller.instance.id, handle) : handle()));
        } finally {
          body_hold?.release();
        }
      },
    });
  }
  app.route({
    method: [...methods],
    url: `${root}/*`,
    config: { ...config, operation_id: `${vendor.name}_missing`, ignores_body: true },
    handler: async ({ method, params }) => {
      throw missing(vendor, method, `/${(params as { '*': string })['*']}`);
    },
  });
}

function operationId({ name }: Vendor, { method, path }: VendorRoute): string {
  return `${name}_${method.toLowerCase()}${path.replaceAll(/\W+/g, '_')}`;
}

function credentials(vendor: Vendor, { headers, ip }: FastifyRequest) {
  const key = vendor.keyOf(headers);
  return {
    authorization: key === undefined ? undefined : `Bearer ${key}`,
    // Clients of other services cannot name it.
    instance_slug: undefined,
    address: ip,
  } as const;
}

function refusalOf(vendor: Vendor): (problem: Problem, request: FastifyRequest) => ProblemResponse {
  return (problem, request) => {
    const { trace_id, headers: given } = request;
    const { retry_after_seconds } = problem.facts;
    const { status, body, headers } = vendor.refuse(problem, {
      has_key: vendor.keyOf(given) !== undefined,
      trace_id,
    });
    return {
      status,
      headers: {
        // Clients of other services read errors of this type only.
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        ...(retry_after_seconds === undefined ? {} : { 'retry-after': String(retry_after_seconds) }),
        ...headers,
      },
      body: { ...(body as Record<string, unknown>), [vendor.code_member ?? 'code']: problem.code, trace_id },
    };
  };
}

function callOf({ name }: Vendor, request: FastifyRequest): VendorCall {
  const { body, headers } = request;
  const query = parseQuery(request.url);
  // Paths and queries name what is looked up: PostgreSQL takes no NUL in any of them.
  const unsafe = [body, request.params, [...query].flat()].flatMap(findUnsafeText);
  const { idempotent, violations } = request.routeOptions.config.is_repeatable
    ? readIdempotencyKey(request)
    : { violations: [] };
  if (unsafe.length + violations.length > 0) throw validationProblem([...unsafe, ...violations]);
  return {
    caller: { ...(request.caller as Caller), via: name },
    params: request.params as Record<string, string>,
    query,
    body,
    address: request.ip,
    request_id: request.id,
    trace_id: request.trace_id,
    idempotent,
    header(each) {
      const value = headers[each];
      return typeof value === 'string' ? value : undefined;
    },
  };
}

function answer(reply: FastifyReply, result: unknown): string | undefined {
  const { status, body, headers } =
    result instanceof Answer ? result : new Answer({ status: 200, body: result });
  reply.code(status).headers({ 'cache-control': 'no-store', ...headers });
  if (body === undefined) return '';
  reply.header('content-type', 'application/json; charset=utf-8');
  return JSON.stringify(body);
}

/** A path of the other service that is not served: by its name, a wrong method as such. */
function missing(vendor: Vendor, method: string, path: string): Problem {
  const { name, routes } = vendor;
  const change = method === 'GET' ? undefined : named(vendor.changes, path);
  const allow = routes.filter((route) => patternOf(route.path).test(path)).map((route) => route.method);
  if (change === undefined && allow.length > 0 && !allow.includes(method as VendorRoute['method'])) {
    return new Problem('method_not_allowed', { allow });
  }
  const what = change ?? named(vendor.missing, path) ?? 'this path';
  return new Problem('not_found', {
    detail: `Chasqui’s API for clients of ${titles[name]} does not have ${what}: see docs/switching.`,
  });
}

/** By the longest prefix of the path. */
function named(known: Readonly<Record<string, string>>, path: string): string | undefined {
  const [prefix] = Object.keys(known)
    .filter((each) => path === each || path.startsWith(`${each}/`))
    .toSorted((a, b) => b.length - a.length);
  return prefix === undefined ? undefined : known[prefix];
}

const titles = { resend: 'Resend', postmark: 'Postmark', sendgrid: 'SendGrid' };

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
}
