import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import path from 'node:path';

export interface WorkerProcessOptions {
  /** A file that calls `answerParent`. */
  module: URL;
  max_megabytes: number;
  /** A process that is not ready by then is killed; the start takes a second on a machine at rest. */
  max_start_ms?: number;
}

/** By itself: V8 gave up, which is how it says that the memory is used up. Otherwise it was killed. */
export interface Ended {
  by_itself: boolean;
}

/** A process that does one thing at a time and can be killed in the middle of it. */
export interface WorkerProcess {
  /** Rejects when it ends before it can do anything. */
  readonly ready: Promise<void>;
  hasEnded(): boolean;
  /** The answer, or how it ended without one; rejects with what it failed at. */
  ask(message: unknown): Promise<{ answered: unknown } | Ended>;
  /** Processor time since it began; undefined where the system does not have it. */
  cpuMs(): number | undefined;
  kill(): void;
}

/**
 * A process and not a thread: a thread whose heap is full is ended in good order only when it grew little by little; one
 * large string or array ends the whole process (tried with `resourceLimits` of Node 24).
 */
export function startWorkerProcess(options: WorkerProcessOptions): WorkerProcess {
  const { module, max_megabytes, max_start_ms = 30_000 } = options;
  const child = fork(module, {
    // The environment has secrets that it does not need, and the options of the process are not for it.
    env: compileCache(),
    execArgv: [`--max-old-space-size=${max_megabytes}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = Promise.withResolvers<Ended>();
  let hasEnded = false;
  const end = (by_itself: boolean): void => {
    hasEnded = true;
    ended.resolve({ by_itself });
  };
  child.once('exit', (_code, signal) => end(signal !== 'SIGKILL' && signal !== 'SIGTERM'));
  // It could not be started, or killed, or written to: its callers see that it has ended.
  child.on('error', () => end(false));
  // Only a running job keeps this process alive.
  const hold = (isBusy: boolean): void => {
    for (const part of [child, child.channel]) part?.[isBusy ? 'ref' : 'unref']();
  };

  async function next(): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    child.once('message', resolve);
    hold(true);
    try {
      return await Promise.race([promise, ended.promise]);
    } finally {
      child.off('message', resolve);
      hold(false);
    }
  }

  const startTimer = setTimeout(() => void child.kill('SIGKILL'), max_start_ms).unref();
  const ready = next().then((message) => {
    clearTimeout(startTimer);
    if (message !== 'ready')
      throw new Error(`The process of ${path.basename(module.pathname)} did not start.`);
  });
  ready.catch(() => undefined);
  return {
    ready,
    hasEnded: () => hasEnded,
    async ask(message) {
      const answer = next();
      child.send(message as object, () => undefined);
      const outcome = (await answer) as { answered: unknown } | { error: string } | Ended;
      if ('error' in outcome) throw new Error(outcome.error);
      return outcome;
    },
    cpuMs: () => cpuMsOf(child.pid),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Compiled code is shared with this process, which spares a second of its start. */
function compileCache(): NodeJS.ProcessEnv {
  const dir = getCompileCacheDir();
  return dir === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(dir) };
}

/** Ticks of a hundredth of a second on every Linux (proc_pid_stat(5)). */
const msPerTick = 10;

function cpuMsOf(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in brackets, may have spaces; user and system time are the 12th and 13th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return undefined;
  }
}
