import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** What proxies write down when the client did not wait for its answer. */
const clientWentAway = 499;

/**
 * One line and one measurement per request, also for those that the caller abandoned; probes that pass only at level debug.
 * What its body still holds of the memory is released.
 */
export function recordEnd(
  request: FastifyRequest,
  reply: FastifyReply,
  { log, metrics }: { log: Log; metrics: Metrics },
): void {
  reply.raw.on('close', () => {
    request.body_hold?.release();
    const seconds = (performance.now() - request.arrived_at) / 1000;
    const status = reply.raw.writableFinished ? reply.statusCode : clientWentAway;
    const { config, url } = request.routeOptions;
    const operation = config?.operation_id ?? 'none';
    metrics.http_duration.observe({ operation, status }, seconds);
    log[config?.is_probe === true && status < 400 ? 'debug' : 'info'](
      {
        request_id: request.id,
        trace_id: request.trace_id,
        method: request.method,
        // The pattern, not the URL: paths and queries carry addresses and tokens.
        route: url ?? null,
        operation,
        status,
        duration_ms: Math.round(seconds * 1e5) / 100,
        instance: request.caller?.instance?.slug,
      },
      'request',
    );
  });
}
