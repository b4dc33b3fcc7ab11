import { hostname } from 'node:os';
import { readVersion } from './version.ts';
import { createAcceptance } from '../accept/accept-mail.ts';
import { createAcceptMetrics } from '../accept/accept-metrics.ts';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { watchPool } from '../base/db/pool-metrics.ts';
import { createNotifications } from '../base/db/notifications.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Log } from '../base/log.ts';
import { Node } from '../base/engine/node.ts';
import type { Metrics } from '../base/metrics.ts';
import type { RootSecret } from '../base/secrets.ts';
import { createTracer } from '../base/tracing/tracer.ts';
import { HandOver } from '../deliver/hand-over.ts';
import { createInstanceDirectory } from '../instances/instance-directory.ts';
import { createSharedBuckets } from '../limits/shared-buckets.ts';
import { ContactHashes } from '../base/contact-hash.ts';
import { createTemplateRenderer } from '../templates/template-renderer.ts';
import { createTracking } from '../track/tracking.ts';
import { releaseJobLeases } from '../base/jobs/job-runner.ts';
import { releaseQueueLeases } from '../queue/leases.ts';
import { releaseParseLeases } from '../received/claim-parsing.ts';
import { releaseDeliveryLeases } from '../webhooks/release-leases.ts';
import type { RoleName } from './roles.ts';
import { openBodyMemory } from './body-memory.ts';
import type { Running, ServiceContext } from './service-context.ts';
import { createCertificates } from './tls-certificate.ts';
import type { Store } from './store.ts';

interface ContextOptions {
  config: Config;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  store: Store;
  secret: RootSecret;
  roles: readonly RoleName[];
  clockError: () => string | undefined;
}

/** What the roles of one thread share. */
export function createContext(options: ContextOptions): ServiceContext & { stopping(): void } {
  const { config, store, clock, log, secret, metrics } = options;
  const { db } = store;
  watchPool(metrics.registry, db);
  const notifications = createNotifications(store.connection, (error) =>
    log.warn({ err: error }, 'lost the notification connection'),
  );
  const buckets = createSharedBuckets(db);
  const instances = createInstanceDirectory(db, notifications);
  const hand_over = new HandOver();
  const renderer = createTemplateRenderer(config);
  const tracer = openTracer(options);
  let stopping = false;
  return {
    ...options,
    tracer,
    notifications,
    certificates: createCertificates({ config, store, secret, notifications, log }),
    buckets,
    submission_ports: {
      starttls: options.config.public_submission_port,
      tls: options.config.public_submissions_port,
    },
    body_memory: openBodyMemory(options),
    instances,
    hand_over,
    node: new Node({
      db,
      log,
      roles: options.roles,
      version: readVersion(),
      dead_after_ms: options.config.node_dead_seconds * 1000,
      releases: [releaseQueueLeases, releaseDeliveryLeases, releaseParseLeases, releaseJobLeases],
    }),
    renderer,
    acceptance: createAcceptance({
      db,
      notifications,
      clock,
      buckets,
      instances,
      renderer,
      hashes: new ContactHashes(secret),
      hand_over,
      metrics: createAcceptMetrics(metrics.registry),
      batches: metrics.batches,
      tracer,
    }),
    tracking: createTracking({ db, notifications, clock, log, secret, registry: metrics.registry }),
    async requireReady() {
      if (stopping)
        throw new Problem('service_unavailable', {
          detail: 'The service is stopping.',
          retry_after_seconds: 1,
        });
      await store.requireWritable();
    },
    stopping: () => {
      stopping = true;
    },
  };
}

function openTracer({ config, log, metrics, roles }: ContextOptions) {
  const { otlp_endpoint: endpoint, otlp_headers: headers, trace_percent: percent } = config;
  if (endpoint === undefined) return undefined;
  const resource = {
    'service.name': 'chasqui',
    'service.version': readVersion(),
    'host.name': hostname(),
    'chasqui.roles': roles.join(','),
  };
  return createTracer({ endpoint, headers, percent, resource, log, registry: metrics.registry });
}

/** Listeners first, so that running work still has a database; then the database itself. */
export async function closeAll(
  { config, store, notifications, acceptance, renderer, tracking, tracer, node, log }: ServiceContext,
  running: Running[],
): Promise<void> {
  const timer = setTimeout(() => {
    log.warn('aborting work that did not end within the stop timeout');
    for (const part of [...running, acceptance, tracking]) part.abort?.();
  }, config.stop_timeout_ms);
  const ends = await Promise.allSettled(running.map(async (part) => await part.stop()));
  await acceptance.stop();
  await tracking.stop();
  await tracer?.stop();
  renderer.stop();
  clearTimeout(timer);
  for (const end of ends) {
    if (end.status === 'rejected') log.error({ err: end.reason as Error }, 'a component failed to stop');
  }
  await node
    .stop()
    .catch((error: unknown) =>
      log.warn({ err: error }, 'could not remove this node from the table of nodes'),
    );
  await notifications.stop();
  await store.close();
}
