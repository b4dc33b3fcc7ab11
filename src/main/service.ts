import { systemClock, type Clock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { createAcceptance } from '../accept/accept-mail.ts';
import { createNotifications } from '../base/db/notifications.ts';
import type { Operation } from '../base/http/operation.ts';
import type { Log } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
import { createInstanceDirectory } from '../instances/instance-directory.ts';
import { createSharedBuckets } from '../instances/shared-buckets.ts';
import { watchConservation } from '../mails/conservation-metrics.ts';
import { keepPartitionsAhead } from '../mails/partitions.ts';
import { startDelivery } from './delivery-role.ts';
import { startDns } from './dns-listener.ts';
import { startHttp, startOperations } from './http-listeners.ts';
import { provisionDemo, type DemoCredentials } from './provision.ts';
import { openRootSecret, requireSameSecret } from './root-secret.ts';
import type { RoleName } from './roles.ts';
import type { Running, ServiceContext } from './service-context.ts';
import { startSubmission } from './submission-listener.ts';
import { openStore, type Store } from './store.ts';

export interface Service {
  addresses: {
    base_url: string | undefined;
    /** `host:port` with STARTTLS, and with TLS from the start. */
    submission: { starttls: string; tls: string } | undefined;
    dns: string | undefined;
    metrics: string;
  };
  demo: DemoCredentials | undefined;
  description: string;
  /** What this process serves over HTTP. */
  operations: Operation[];
  /** Finishes what is under way, within the time the configuration gives it. */
  stop(): Promise<void>;
}

interface ServiceOptions {
  config: Config;
  roles: RoleName[];
  log: Log;
  clock?: Clock;
  on_lost: (reason: string) => void;
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, roles, log, clock = systemClock, on_lost } = options;
  const secret = await openRootSecret(config);
  const store = await openStore({ config, log, on_lost });
  const notifications = createNotifications(store.connection, (error) =>
    log.warn({ err: error }, 'the notification connection was lost'),
  );
  const state = { stopping: false };
  const isReady = async (): Promise<boolean> => !state.stopping && (await answers(store));
  const { db } = store;
  const buckets = createSharedBuckets(db);
  const metrics = createMetrics();
  watchConservation({ db, registry: metrics.registry, clock, log });
  const instances = createInstanceDirectory(db, notifications, clock);
  const context: ServiceContext = {
    buckets,
    instances,
    acceptance: createAcceptance({ db, notifications, clock, buckets, instances }),
    config,
    clock,
    log,
    metrics,
    store,
    notifications,
    secret,
    isReady,
  };
  const running: Running[] = [];
  const keep = <T extends Running>(part: T): T => {
    running.push(part);
    return part;
  };
  try {
    await requireSameSecret(store.db, secret);
    keep(await keepPartitionsAhead(store.db, log));
    const demo = config.demo ? await store.db.transaction(provisionDemo) : undefined;
    const wants = (...names: RoleName[]): boolean => names.some((name) => roles.includes(name));
    const http = wants('api', 'web') ? keep(await startHttp(context, roles)) : undefined;
    const submission = wants('submission') ? keep(await startSubmission(context)) : undefined;
    if (wants('delivery')) keep(startDelivery(context, http?.base_url ?? config.base_url));
    const dns = wants('dns') ? keep(await startDns(context)) : undefined;
    const operator = keep(await startOperations(context));
    // Rooms have said by now what they listen for.
    await notifications.start();
    return {
      addresses: {
        base_url: http?.base_url,
        submission: submission?.addresses,
        dns: dns?.address,
        metrics: operator.url,
      },
      demo,
      description: store.description,
      operations: http?.operations ?? [],
      stop: async () => {
        state.stopping = true;
        await closeAll(context, running);
      },
    };
  } catch (error) {
    await closeAll(context, running);
    throw error;
  }
}

async function answers(store: Store): Promise<boolean> {
  return await store.db.query('select 1').then(
    () => true,
    () => false,
  );
}

/** Listeners first, so that what is under way still has a database; then the database itself. */
async function closeAll(
  { config, store, notifications, acceptance, log }: ServiceContext,
  running: Running[],
): Promise<void> {
  const cut = setTimeout(() => {
    log.warn('work was still under way when the time to stop was over');
    for (const part of running) part.cut?.();
  }, config.stop_timeout_ms);
  const ends = await Promise.allSettled(running.map(async (part) => await part.stop()));
  await acceptance.stop();
  clearTimeout(cut);
  for (const end of ends) {
    if (end.status === 'rejected')
      log.error({ err: end.reason as Error }, 'a part did not stop as it should');
  }
  await notifications.stop();
  await store.close();
}
