import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createHttpApp } from '../base/http/app.ts';
import type { Authenticate } from '../base/http/access.ts';
import { withDiscovery } from '../base/http/discovery.ts';
import { registerDocsPages } from '../base/http/docs-pages.ts';
import { healthPages, metricsPage } from '../base/http/health-pages.ts';
import { createApiKeyAuthentication } from '../instances/authenticate-api-key.ts';
import { Problem } from '../base/errors/problem.ts';
import type { RoleName } from './roles.ts';
import { routes } from './routes.ts';
import type { ServiceContext } from './service.ts';

/** The public listener: the operations for role `api`, pages for people for role `web`. */
export async function startHttp(
  context: ServiceContext,
  roles: RoleName[],
): Promise<{ app: FastifyInstance; base_url: string }> {
  const { config, log, metrics, isReady } = context;
  // With port 0 the address is known only once the listener has one.
  const address = { base_url: config.base_url };
  const app = createHttpApp({
    operations: withDiscovery(roles.includes('api') ? routes({ db: context.store.db }) : [], address),
    pages: [healthPages(isReady), ...(roles.includes('web') ? [registerDocsPages] : [])],
    authenticate: authentication(context),
    get base_url() {
      return address.base_url;
    },
    trust_proxy: config.trust_proxy,
    log,
    metrics,
  });
  await app.listen({ host: config.host, port: config.http_port });
  const { port } = app.server.address() as AddressInfo;
  if (config.http_port === 0) address.base_url = config.base_url.replace(/:0$/, `:${port}`);
  return { app, base_url: address.base_url };
}

function authentication({ store, notifications, clock }: ServiceContext): Authenticate {
  const apiKeys = createApiKeyAuthentication(store.db, notifications, clock);
  return async (credentials, access) => {
    if (access.kind === 'api_key') return await apiKeys.authenticate(credentials, access.scope);
    throw new Problem('unauthorized');
  };
}

/** The operator's listener: health for every role, also those without HTTP of their own, and metrics. */
export async function startOperations(
  context: ServiceContext,
): Promise<{ app: FastifyInstance; url: string }> {
  const { config, log, metrics, isReady } = context;
  const app = createHttpApp({
    operations: [],
    pages: [healthPages(isReady), metricsPage(metrics)],
    authenticate: authentication(context),
    base_url: config.base_url,
    trust_proxy: false,
    log,
    metrics,
  });
  await app.listen({ host: config.host, port: config.metrics_port });
  const { port } = app.server.address() as AddressInfo;
  return { app, url: `http://${config.host}:${port}` };
}
