import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { openClock } from './clock.ts';
import { watchNode } from '../base/engine/node-metrics.ts';
import { watchJobs } from '../base/jobs/job-states.ts';
import type { Operation } from '../base/http/operation.ts';
import type { Log } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
import { watchConservation } from '../mails/conservation-metrics.ts';
import { createPartitions } from '../mails/partitions.ts';
import { closeAll, createContext } from './create-context.ts';
import { watchChecks } from '../installation/check-results.ts';
import { startJobs } from './jobs-role.ts';
import { startDelivery } from './delivery-role.ts';
import { startDns } from './dns-listener.ts';
import { startInbound } from './inbound-listener.ts';
import { startParsing } from './parsing.ts';
import { releaseMemory } from './release-memory.ts';
import { startHttp, startOperations } from './http-listeners.ts';
import { requireFreePorts, startListenerThreads } from './listener-threads.ts';
import { provisionDemo, type Demo } from './provision.ts';
import { openRootSecret } from './root-secret.ts';
import type { RoleName } from './roles.ts';
import type { Running } from './service-context.ts';
import { startSubmission } from './submission-listener.ts';
import { openStore } from './store.ts';
import { startWebhooks } from './webhooks-role.ts';

export interface Service {
  addresses: {
    base_url: string | undefined;
    /** Where people sign in, for role `web`. */
    panel: string | undefined;
    /** Of plain HTTP, whatever the base URL says. */
    http_port: number | undefined;
    /** `host:port`, where HTTPS is served by us. */
    https: string | undefined;
    /** `host:port` with STARTTLS, and with TLS from the start. */
    submission: { starttls: string; tls: string } | undefined;
    /** `host:port` that MX records lead to. */
    inbound: string | undefined;
    dns: string | undefined;
    metrics: string;
  };
  demo: Demo | undefined;
  description: string;
  /** What this process serves over HTTP. */
  operations: Operation[];
  /**
   * Is not ready from now on, goes on serving for `delay_ms`, then finishes what is under way within the time the
   * configuration gives it.
   */
  stop(delay_ms?: number): Promise<void>;
}

interface ServiceOptions {
  config: Config;
  roles: RoleName[];
  log: Log;
  clock?: Clock;
  on_lost: (reason: string) => void;
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, roles, log, on_lost } = options;
  const store = await openStore({ config, schema: 'migrate', log, on_lost });
  const closing = async (error: unknown): Promise<never> => {
    await store.close();
    throw error;
  };
  const secret = await openRootSecret(store.db, config).catch(closing);
  const metrics = createMetrics();
  const { clock, clockError, stopClock } = await openClock(store, log, options.clock).catch(closing);
  const context = createContext({ config, clock, clockError, log, metrics, store, secret, roles });
  const { notifications, node } = context;
  watchJobs({ db: store.db, registry: metrics.registry, log });
  watchChecks({ db: store.db, registry: metrics.registry, log });
  watchNode({ db: store.db, registry: metrics.registry, log, node });
  watchConservation({ db: store.db, registry: metrics.registry, clock, log });
  const running: Running[] = [{ stop: stopClock }];
  const keep = <T extends Running>(part: T): T => {
    running.push(part);
    return part;
  };
  try {
    await createPartitions(store.db);
    const wants = (...names: RoleName[]): boolean => names.some((name) => roles.includes(name));
    await requireFreePorts(config, roles);
    // Before anything is claimed.
    await node.start();
    await context.certificates.load();
    const http = wants('api', 'web') ? keep(await startHttp(context, roles)) : undefined;
    const submission = wants('submission') ? keep(await startSubmission(context)) : undefined;
    if (wants('delivery')) keep(startDelivery(context, http?.base_url ?? config.base_url));
    if (wants('jobs')) keep(startJobs(context));
    if (wants('webhooks')) keep(startWebhooks(context, http?.base_url ?? config.base_url));
    if (wants('inbound')) keep(startParsing(context));
    const inbound = wants('inbound') ? keep(await startInbound(context)) : undefined;
    const dns = wants('dns') ? keep(await startDns(context)) : undefined;
    const threads = keep(await startListenerThreads(context, { roles, http, submission }));
    keep(releaseMemory({ rest_ms: config.memory_rest_seconds * 1000 }));
    const operator = keep(await startOperations(context, threads));
    // Rooms have said by now what they listen for.
    await notifications.start();
    // Users of an external database create their keys by command.
    const with_credentials = config.database_url === undefined || config.print_credentials;
    // Last of all: only this start prints the credentials, so nothing may fail after they are created.
    const demo = config.demo
      ? await store.db.transaction(async (tx) => await provisionDemo(tx, { with_credentials }))
      : undefined;
    return {
      addresses: {
        base_url: http?.base_url,
        panel: http && wants('web') ? `${http.base_url}/panel/` : undefined,
        http_port: http?.port,
        https: http?.https,
        submission: submission?.addresses,
        inbound: inbound?.address,
        dns: dns?.address,
        metrics: operator.url,
      },
      demo,
      description: store.description,
      operations: http?.operations ?? [],
      stop: async (delay_ms = 0) => {
        context.stopping();
        threads.announceStop();
        await delay(delay_ms);
        await closeAll(context, running);
      },
    };
  } catch (error) {
    await closeAll(context, running);
    throw error;
  }
}
