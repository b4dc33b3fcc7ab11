import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

const probe = { config: { is_probe: true } };

/**
 * `/healthz`: the process answers. `/readyz`: it also has what it needs to do its work, and is not stopping; else
 * `requireReady` throws the problem whose detail says why. Warnings are about what does not keep it from its work.
 */
export function healthPages(
  requireReady: () => Promise<void>,
  warnings: () => string[],
): (app: FastifyInstance) => void {
  return (app) => {
    app.get('/healthz', probe, async () => ({ status: 'ok' }));
    app.get('/readyz', probe, async () => {
      await requireReady();
      return { status: 'ready', warnings: warnings() };
    });
  };
}

/** Served on a port of its own: it tells more about the installation than callers of the API should know. */
export function metricsPage(gather: () => Promise<Registry>): (app: FastifyInstance) => void {
  return (app) => {
    app.get('/metrics', probe, async (_request, reply) => {
      const registry = await gather();
      return await reply.type(registry.contentType).send(await registry.metrics());
    });
  };
}
