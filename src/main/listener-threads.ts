import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Config } from '../base/config.ts';
import type { ConnectionSettings } from '../base/db/database.ts';
import type { RoleName } from './roles.ts';
import type { Running, ServiceContext } from './service-context.ts';

/** Start message of a thread. */
export interface ThreadData {
  /** With the ports that the main thread got. */
  config: Config;
  connection: ConnectionSettings;
  roles: RoleName[];
}

/** `announce`: report not ready, but keep serving. */
export type ThreadOrder = 'announce' | 'stop' | 'metrics';
export type ThreadNews = { kind: 'ready' } | { kind: 'metrics'; metrics: object[] };

export interface ListenerThreads extends Running {
  /** Makes `/readyz` of every thread report that the service is stopping. */
  announceStop(): void;
  /** The metrics of all threads. */
  gather(registry: Registry): Promise<Registry>;
}

interface Listening {
  roles: RoleName[];
  http: { base_url: string; port: number; https: string | undefined } | undefined;
  submission: { addresses: { starttls: string; tls: string } } | undefined;
}

/** Roles whose listeners can share a port; the others run once per process. */
const sharedRoles: readonly RoleName[] = ['api', 'web', 'submission'];
const restartAfterMs = 1_000;
/** Threads that do not answer in time are left out of the metrics. */
const metricsWithinMs = 1_000;

/** Exclusive, or with SO_REUSEPORT, where the kernel distributes connections over all threads. */
export function sharing({ threads }: Config): { reusePort?: true } {
  return threads > 1 ? { reusePort: true } : {};
}

/**
 * Ports that are to be shared could be shared with anybody, another service of the same user included, who would take
 * a part of the callers in silence: before the first listener opens, each port must be free.
 */
export async function requireFreePorts(config: Config, roles: RoleName[]): Promise<void> {
  if (config.threads === 1) return;
  const ports = [
    ...(roles.includes('api') || roles.includes('web') ? [config.http_port, config.https_port ?? 0] : []),
    ...(roles.includes('submission') ? [config.submission_port, config.submissions_port] : []),
  ];
  for (const port of ports.filter((each) => each !== 0)) {
    const probe = createServer().listen(port, config.host);
    await once(probe, 'listening');
    probe.close();
    await once(probe, 'close');
  }
}

/**
 * Taking in mail is bound by one processor: a thread spends 110 µs on a send where PostgreSQL spends 60. More threads
 * listen on the same ports, each with its own connections to the database and its own share of the callers; what nodes
 * share with each other, threads share the same way.
 */
export async function startListenerThreads(
  { config, store, log, submission_ports }: ServiceContext,
  { roles, http, submission }: Listening,
): Promise<ListenerThreads> {
  const shared = sharedRoles.filter((role) => roles.includes(role));
  const data: ThreadData = {
    config: {
      ...config,
      base_url: http?.base_url ?? config.base_url,
      http_port: http?.port ?? config.http_port,
      https_port: portOf(http?.https) ?? config.https_port,
      submission_port: portOf(submission?.addresses.starttls) ?? config.submission_port,
      submissions_port: portOf(submission?.addresses.tls) ?? config.submissions_port,
      public_submission_port: submission_ports.starttls,
      public_submissions_port: submission_ports.tls,
    },
    connection: store.connection,
    roles: shared,
  };
  const threads = new Set<Worker>();
  let stopping = false;

  async function start(): Promise<void> {
    const thread = new Worker(new URL('listener-thread.ts', import.meta.url), {
      workerData: data,
      env: { ...process.env, ...compileCache() },
    });
    threads.add(thread);
    thread.on('error', (error) => log.error({ err: error }, 'a listener thread failed'));
    thread.once('exit', () => threads.delete(thread));
    const [news] = (await Promise.race([once(thread, 'message'), once(thread, 'exit')])) as [unknown];
    if (!isReady(news)) throw new Error('A listener thread did not start; the log says why.');
    thread.once('exit', () => void (stopping || restart()));
  }

  async function restart(): Promise<void> {
    await delay(restartAfterMs);
    if (stopping) return;
    await start().catch(async (error: unknown) => {
      log.error({ err: error }, 'a listener thread could not be started');
      await restart();
    });
  }

  const count = shared.length === 0 ? 0 : config.threads - 1;
  try {
    await Promise.all(Array.from({ length: count }, start));
  } catch (error) {
    // Running and restarting threads must not keep a failed service alive.
    stopping = true;
    await Promise.all([...threads].map(async (thread) => await thread.terminate()));
    throw error;
  }
  if (count > 0) log.info({ threads: config.threads }, 'listener threads share their ports');
  return {
    gather: async (registry) => await gather(registry, threads),
    announceStop() {
      for (const thread of threads) thread.postMessage('announce' satisfies ThreadOrder);
    },
    async stop() {
      stopping = true;
      await Promise.all([...threads].map(async (thread) => await stop(thread)));
    },
    abort() {
      for (const thread of threads) void thread.terminate();
    },
  };
}

/** A thread needs the environment variable to use the compile cache, which saves half a second and 10 MB each. */
function compileCache(): NodeJS.ProcessEnv {
  const dir = getCompileCacheDir();
  return dir === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(dir) };
}

function portOf(address: string | undefined): number | undefined {
  return address === undefined ? undefined : Number(address.slice(address.lastIndexOf(':') + 1));
}

function isReady(news: unknown): boolean {
  return (news as ThreadNews | undefined)?.kind === 'ready';
}

async function stop(thread: Worker): Promise<void> {
  const exited = once(thread, 'exit');
  thread.postMessage('stop' satisfies ThreadOrder);
  await exited;
}

async function gather(registry: Registry, threads: Set<Worker>): Promise<Registry> {
  if (threads.size === 0) return registry;
  const others = await Promise.all([...threads].map(metricsOf));
  const own = await registry.getMetricsAsJSON();
  return AggregatorRegistry.aggregate([own, ...others]);
}

async function metricsOf(thread: Worker): Promise<object[]> {
  const signal = AbortSignal.timeout(metricsWithinMs);
  try {
    const answer = once(thread, 'message', { signal });
    thread.postMessage('metrics' satisfies ThreadOrder);
    const [news] = (await answer) as [ThreadNews];
    return news.kind === 'metrics' ? news.metrics : [];
  } catch {
    return [];
  }
}
