import type { FastifyInstance } from 'fastify';
import { systemClock, type Clock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { createNotifications, type Notifications } from '../base/db/notifications.ts';
import type { Log } from '../base/log.ts';
import { createMetrics, type Metrics } from '../base/metrics.ts';
import type { RootSecret } from '../base/secrets.ts';
import { startHttp, startOperations } from './http-listeners.ts';
import { provisionDemo, type DemoCredentials } from './provision.ts';
import { openRootSecret, requireSameSecret } from './root-secret.ts';
import type { RoleName } from './roles.ts';
import { openStore, type Store } from './store.ts';

/** What the roles of one process share. */
export interface ServiceContext {
  config: Config;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  store: Store;
  notifications: Notifications;
  secret: RootSecret;
  isReady: () => Promise<boolean>;
}

export interface Service {
  addresses: { base_url: string | undefined; metrics: string };
  demo: DemoCredentials | undefined;
  description: string;
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

export async function startService({
  config,
  roles,
  log,
  clock = systemClock,
  on_lost,
}: ServiceOptions): Promise<Service> {
  const secret = await openRootSecret(config);
  const store = await openStore({ config, log, on_lost });
  const notifications = createNotifications(store.connection, (error) =>
    log.warn({ err: error }, 'the notification connection was lost'),
  );
  const state = { stopping: false };
  const context: ServiceContext = {
    config,
    clock,
    log,
    metrics: createMetrics(),
    store,
    notifications,
    secret,
    isReady: async () => !state.stopping && (await answers(store)),
  };
  const running: FastifyInstance[] = [];
  try {
    await requireSameSecret(store.db, secret);
    const demo = config.demo ? await store.db.transaction(provisionDemo) : undefined;
    const http = roles.includes('api') || roles.includes('web') ? await startHttp(context, roles) : undefined;
    if (http) running.push(http.app);
    const operations = await startOperations(context);
    running.push(operations.app);
    // Rooms have said by now what they listen for.
    await notifications.start();
    return {
      addresses: { base_url: http?.base_url, metrics: operations.url },
      demo,
      description: store.description,
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

/** Listeners first, so that requests under way still have a database; then the database itself. */
async function closeAll(
  { config, store, notifications, log }: ServiceContext,
  apps: FastifyInstance[],
): Promise<void> {
  const cut = setTimeout(() => {
    log.warn('requests were still under way when the time to stop was over');
    for (const app of apps) app.server.closeAllConnections();
  }, config.stop_timeout_ms);
  await Promise.all(apps.map(async (app) => await app.close()));
  clearTimeout(cut);
  await notifications.stop();
  await store.close();
}
