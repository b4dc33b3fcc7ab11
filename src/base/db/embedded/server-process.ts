import { setTimeout as sleep } from 'node:timers/promises';
import { retry } from '../../retry.ts';
import { EmbeddedPostgresError, errorCode, retryWhileHeld } from './embedded-postgres-error.ts';
import { readPostmasterFile } from './server-state.ts';
import type { PostmasterFile } from './server-state.ts';
import { startWatched } from './watched-process.ts';
import type { Program, WatchedProcess } from './watched-process.ts';

/** Recovery after a crash replays up to max_wal_size; on a slow disk that takes minutes. */
const readyWithinMs = 600_000;
const pollMs = 10;
/** Fast shutdown ends with a checkpoint; what is slower than this gets an immediate one, and recovers. */
const fastShutdownMs = 20_000;
const immediateShutdownMs = 10_000;

export interface ServerProcess {
  pid: number;
  watched: WatchedProcess;
}

/** Starts the server and waits until it takes connections. */
export async function startServer(program: Program, cluster: string): Promise<ServerProcess> {
  return await retry(async () => {
    const stale = readPostmasterFile(cluster);
    const watched = startWatched({ ...program, env: excuse(stale) });
    const file = await waitUntilReady(watched, cluster, stale);
    if (file === undefined) throw await startFailure(watched);
    return { pid: file.pid, watched };
  }, retryWhileHeld);
}

/**
 * postmaster.pid is never deleted, because it also guards against surviving backends of a killed server. What
 * it must not do is mistake a recycled pid for a server; pg_ctl's variable excuses exactly that pid.
 */
function excuse(stale: PostmasterFile | undefined): Record<string, string> {
  return stale === undefined ? {} : { PG_GRANDPARENT_PID: String(stale.pid) };
}

async function waitUntilReady(
  watched: WatchedProcess,
  cluster: string,
  stale: PostmasterFile | undefined,
): Promise<PostmasterFile | undefined> {
  const deadline = Date.now() + readyWithinMs;
  while (!watched.hasEnded() && Date.now() < deadline) {
    const file = readPostmasterFile(cluster);
    if (file?.is_ready === true && file.text !== stale?.text) return file;
    await sleep(pollMs);
  }
  watched.interrupt();
  await becomesTrue(watched.hasEnded, fastShutdownMs);
  return undefined;
}

async function startFailure(watched: WatchedProcess): Promise<EmbeddedPostgresError> {
  const how = watched.hasEnded() ? (await watched.ended).how : 'it was never ready';
  const lines = watched.log().trim().split('\n').slice(-12).join(' | ');
  return new EmbeddedPostgresError(`The embedded PostgreSQL did not start (${how}): ${lines}`);
}

/** Ends our own server by closing its pipe. */
export async function stopServer({ pid, watched }: ServerProcess): Promise<void> {
  watched.interrupt();
  await endWithin(pid, watched.hasEnded);
}

/** Ends a server whose owner has gone. Its watchdog does that too, unless it was killed as well. */
export async function endOrphan(pid: number, hasEnded: () => boolean): Promise<void> {
  if (await becomesTrue(hasEnded, 1000)) return;
  signal(pid, 'SIGINT');
  await endWithin(pid, hasEnded);
}

async function endWithin(pid: number, hasEnded: () => boolean): Promise<void> {
  if (await becomesTrue(hasEnded, fastShutdownMs)) return;
  signal(pid, 'SIGQUIT');
  if (await becomesTrue(hasEnded, immediateShutdownMs)) return;
  throw new EmbeddedPostgresError(
    `The PostgreSQL server with pid ${pid} does not stop: end it and start again.`,
  );
}

async function becomesTrue(condition: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (!condition()) {
    if (Date.now() > deadline) return false;
    await sleep(pollMs);
  }
  return true;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
