import { parentPort, threadId, workerData } from 'node:worker_threads';
import { createLog } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
import { openClock } from './clock.ts';
import { closeAll, createContext } from './create-context.ts';
import { openLogOutput } from './log-output.ts';
import { releaseMemory } from './release-memory.ts';
import { startHttp } from './http-listeners.ts';
import type { ThreadData, ThreadNews, ThreadOrder } from './listener-threads.ts';
import { readRootSecret } from './root-secret.ts';
import type { Running } from './service-context.ts';
import { startSubmission } from './submission-listener.ts';
import { shareStore } from './store.ts';

/** A thread beside the main one: the listeners that can share a port, and nothing that is one per process. */
const { config, connection, roles } = workerData as ThreadData;
const log = createLog(config.log_level, openLogOutput(config)).child({ thread: threadId });
const metrics = createMetrics({ of_process: false });
const store = shareStore({ config, connection, log });
const { clock, clockError, stopClock } = await openClock(store, log);
const context = createContext({
  config,
  clock,
  clockError,
  log,
  metrics,
  store,
  secret: readRootSecret(config),
  roles,
});
const running: Running[] = [{ stop: stopClock }];
const tell = (news: ThreadNews): void => parentPort?.postMessage(news);

parentPort?.on('message', (order: ThreadOrder) => {
  if (order === 'announce') context.stopping();
  if (order === 'stop') void stop();
  if (order === 'metrics') void registryAsJson();
});

async function registryAsJson(): Promise<void> {
  tell({ kind: 'metrics', metrics: await metrics.registry.getMetricsAsJSON() });
}

async function stop(): Promise<void> {
  context.stopping();
  await closeAll(context, running);
  // Ends only this thread.
  process.exit();
}

await context.certificates.load();
if (roles.includes('api') || roles.includes('web')) running.push(await startHttp(context, roles));
if (roles.includes('submission')) running.push(await startSubmission(context));
running.push(releaseMemory({ rest_ms: config.memory_rest_seconds * 1000 }));
await context.notifications.start();
tell({ kind: 'ready' });
