import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createHttpApp, type HttpAppOptions } from '../base/http/app.ts';
import type { Authenticate, Caller, Credentials, Demand, OperatorCaller } from '../base/http/access.ts';
import type { Operation } from '../base/http/operation.ts';
import { withDiscovery } from '../base/http/discovery.ts';
import { registerDocsPages } from '../base/http/docs-pages.ts';
import { healthPages, metricsPage } from '../base/http/health-pages.ts';
import { challengePage } from '../certificates/challenges.ts';
import { findDefaultForm } from '../forms/default-form.ts';
import { hostedFormPages } from '../forms/pages/hosted-form-pages.ts';
import { authenticateOperatorKey, isOperatorKey } from '../credentials/operator-keys.ts';
import { KeyUses } from '../credentials/key-uses.ts';
import { createApiKeyAuthentication } from '../credentials/authenticate-api-key.ts';
import { createUserAuthentication } from '../accounts/authenticate-user.ts';
import { createRequestRates } from '../limits/request-rates.ts';
import { LiveFeed } from '../activity/live/live-feed.ts';
import { panelPages } from '../panel/panel-pages.ts';
import { answerVisit, trackingPages } from '../track/tracking-pages.ts';
import { MailTokens } from '../mails/mail-token.ts';
import { hostedMailPages } from '../track/pages/hosted-mail-pages.ts';
import { compatPages } from '../compat/serve-vendors.ts';
import { rewriteRootPath } from '../compat/root-paths.ts';
import { guidePages } from '../mcp/guide-pages.ts';
import { mcpEndpoint } from '../mcp/mcp-endpoint.ts';
import { countCalls } from '../mcp/mcp-metrics.ts';
import { makeTools } from '../mcp/tools.ts';
import { secureOnly, startHttps } from './https-listener.ts';
import { sharing, type ListenerThreads } from './listener-threads.ts';
import { publishedEvents } from '../webhooks/payload-schemas.ts';
import { createRightsTokens } from '../rights/rights-tokens.ts';
import { forwardAddressPages } from '../inbound/pages/forward-address-page.ts';
import { hostedRightsPages } from '../rights/pages/hosted-rights-pages.ts';
import { platformMail } from './platform-mailer.ts';
import type { RoleName } from './roles.ts';
import { readVersion } from './version.ts';
import { routeServices, type RouteServices } from './route-services.ts';
import { routes } from './routes.ts';
import type { Running, ServiceContext } from './service-context.ts';

/** Where `npm run panel:build` leaves the panel. */
const builtPanel = path.resolve(import.meta.dirname, '../../panel/dist');

interface HttpListener extends Running {
  base_url: string;
  port: number;
  /** `host:port` of HTTPS. */
  https: string | undefined;
  operations: Operation[];
}

/** The public listener: the operations for role `api`, pages for people for role `web`. */
export async function startHttp(context: ServiceContext, roles: RoleName[]): Promise<HttpListener> {
  const { config, log, metrics, requireReady } = context;
  // With port 0 the address is known only once the listener has one.
  const address = { base_url: config.base_url };
  const isApi = roles.includes('api');
  if (roles.includes('web')) await context.tracking.start();
  const uses = new KeyUses({
    db: context.store.db,
    clock: context.clock,
    on_error: (error) => log.warn({ err: error }, 'the last use of keys could not be written'),
  });
  const live = isApi ? new LiveFeed({ ...context, db: context.store.db }) : undefined;
  const services = routeServices(context, () => address.base_url);
  const operations = withDiscovery(
    live ? routes(context, { live, services }) : [],
    address,
    isApi ? publishedEvents : [],
  );
  const app = createHttpApp({
    operations,
    pages: [
      ...(config.https_port === undefined ? [] : [secureOnly(address)]),
      healthPages(requireReady, warningsOf(context)),
      ...(config.acme_directory === undefined ? [] : [challengePage(context.store.db)]),
      ...(roles.includes('web') ? webPages(context, services) : []),
      ...(isApi ? [mcpPage(context, operations, address)] : []),
      ...(isApi && config.compat ? [compatPage(context, services, address)] : []),
    ],
    ...(isApi && config.compat ? { rewrite: rewriteRootPath } : {}),
    ...(roles.includes('web')
      ? { shortcut: (request, response) => answerVisit(context.tracking, request, response) }
      : {}),
    authenticate: authentication(context, uses),
    get base_url() {
      return address.base_url;
    },
    trust_proxy: config.trust_proxy,
    body_limits: { json: { values: config.json_max_values }, gzip_ratio: config.gzip_max_ratio },
    log,
    metrics,
    body_memory: context.body_memory,
  });
  await app.listen({ host: config.host, port: config.http_port, ...sharing(config) });
  const https = await startHttps(app, context).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  // Only what listens is stopped when another part of the service fails to start.
  live?.start();
  const { port } = app.server.address() as AddressInfo;
  if (config.http_port === 0) address.base_url = config.base_url.replace(/:0$/, `:${port}`);
  const listener = stoppable(app);
  return {
    ...listener,
    stop: async () => {
      // The listener waits for answers under way, and these have no end of their own.
      await live?.stop();
      https?.close();
      await listener.stop();
      await uses.flush().catch(() => undefined);
    },
    base_url: address.base_url,
    port,
    https: https?.address,
    operations,
  };
}

/** The tools of the MCP server, made of the operations beside it. */
function mcpPage(
  { store, log, metrics }: ServiceContext,
  operations: Operation[],
  address: { readonly base_url: string },
): HttpAppOptions['pages'][number] {
  return mcpEndpoint({
    tools: makeTools(operations),
    version: readVersion(),
    db: store.db,
    log,
    count: countCalls(metrics.registry),
    get base_url() {
      return address.base_url;
    },
  });
}

/** The APIs of other services (docs/switching.md). */
function compatPage(
  { store, clock, acceptance, instances, config, renderer }: ServiceContext,
  { preview, domains, webhooks, searches }: RouteServices,
  address: { readonly base_url: string },
): HttpAppOptions['pages'][number] {
  const { platform_domain } = config;
  return compatPages({
    db: store.db,
    clock,
    acceptance,
    instances,
    platform_domain,
    build: preview,
    domains,
    webhooks,
    renderer,
    searches,
    get base_url() {
      return address.base_url;
    },
  });
}

function warningsOf({ clockError }: ServiceContext): () => string[] {
  return () => {
    const error = clockError();
    return error === undefined ? [] : [error];
  };
}

/** What people see, beside the operations of programs. */
function webPages(context: ServiceContext, { rights }: RouteServices): HttpAppOptions['pages'] {
  const { store, clock, log, secret, tracking, renderer } = context;
  const { db } = store;
  const rightsTokens = createRightsTokens(secret);
  const rightsPathOf = (id: number): string => `/rights/${rightsTokens.page.make(id)}`;
  const mailPages = hostedMailPages({
    rightsPathOf,
    db,
    clock,
    log,
    renderer,
    tracking,
    tokens: new MailTokens(secret),
    findUpdateForm: async (instanceId) => await findDefaultForm(db, instanceId, 'update'),
  });
  const mailing = platformMail(context);
  const formPages = hostedFormPages({ ...context, db, rightsPathOf, mail_limits: mailing.mail_limits });
  const rightsPages = hostedRightsPages({
    ...context,
    db,
    ...mailing,
    build: rights.build,
    archives: rights.archives,
  });
  return [
    registerDocsPages,
    guidePages,
    panelPages(builtPanel),
    trackingPages(tracking),
    mailPages,
    formPages,
    rightsPages,
    forwardAddressPages({ ...context, db }),
  ];
}

const closeIdleEveryMs = 100;
/** For a request that is on its way when the stop begins. */
const firstRequestWithinMs = 1_000;

/**
 * Closing waits for the answers under way; cutting drops their connections. What is idle is closed again and again: the framework
 * does so once, and a connection whose answer ends later would be kept alive. One without any request, as browsers open them in
 * advance, is not idle for Node.js.
 */
function stoppable(app: FastifyInstance): Running {
  const { server } = app;
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return {
    async stop() {
      const began = performance.now();
      const closing = setInterval(() => {
        server.closeIdleConnections();
        if (performance.now() - began < firstRequestWithinMs) return;
        for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
      }, closeIdleEveryMs);
      try {
        await app.close();
      } finally {
        clearInterval(closing);
      }
    },
    abort: () => server.closeAllConnections(),
  };
}

function authentication(context: ServiceContext, uses?: KeyUses): Authenticate {
  const { store, notifications, secret, clock } = context;
  const apiKeys = createApiKeyAuthentication(store.db, notifications, {
    clock,
    on_use: (id) => uses?.note(id),
  });
  const users = createUserAuthentication({ db: store.db, secret, clock });
  const rates = createRequestRates({
    buckets: context.buckets,
    instances: context.instances,
    panel_requests_per_second: context.config.panel_requests_per_second,
  });
  /** A person, or for what operators do one of their programs. */
  const authenticatePerson = async (
    credentials: Credentials,
    demand: Exclude<Demand, { kind: 'api_key' }>,
  ): Promise<Caller | OperatorCaller> => {
    if (demand.kind === 'user') return await users.authenticate(credentials, demand);
    if (demand.kind === 'operator' && isOperatorKey(credentials))
      return await authenticateOperatorKey(store.db, clock, credentials);
    return await users.authenticateAccount(credentials, demand.kind);
  };
  return async (credentials, demand) => {
    if (demand.kind === 'api_key') {
      const caller = await apiKeys.authenticate(credentials, demand.scope);
      await rates.ofKey(caller);
      return caller;
    }
    const caller = await authenticatePerson(credentials, demand);
    await rates.ofUser(caller);
    return caller;
  };
}

/** The operator's listener: health for every role, also those without HTTP of their own, and metrics. */
export async function startOperations(
  context: ServiceContext,
  threads: ListenerThreads,
): Promise<Running & { url: string }> {
  const { config, log, metrics, requireReady } = context;
  const app = createHttpApp({
    operations: [],
    pages: [
      healthPages(requireReady, warningsOf(context)),
      metricsPage(async () => await threads.gather(metrics.registry)),
    ],
    authenticate: authentication(context),
    base_url: config.base_url,
    trust_proxy: false,
    log,
    metrics,
  });
  await app.listen({ host: config.host, port: config.metrics_port });
  const { port } = app.server.address() as AddressInfo;
  return { ...stoppable(app), url: `http://${config.host}:${port}` };
}
