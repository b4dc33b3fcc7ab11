import { Worker } from 'node:worker_threads';
import { Problem } from '../base/errors/problem.ts';

export interface MjmlError {
  line: number;
  tag: string;
  message: string;
}

export type MjmlOutcome = { html: string; errors?: undefined } | { html?: undefined; errors: MjmlError[] };

interface RendererOptions {
  max_ms: number;
  /** A thread that has had nothing to do for this long gives its 80 MB back. */
  idle_ms: number;
  max_waiting: number;
  max_megabytes?: number;
}

/**
 * Renders in a thread of its own, one source at a time. A page of MJML takes some 3 ms, but 1 MB of it takes 6.5 s
 * and some of its forms take quadratic time, all of it without a pause: only a thread can be stopped in the middle.
 */
export function createMjmlRenderer(options: RendererOptions) {
  const { max_ms, idle_ms, max_waiting, max_megabytes = 512 } = options;
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  async function takeTurn(source: string): Promise<MjmlOutcome> {
    clearTimeout(idle);
    const busy = (worker ??= startWorker(max_megabytes));
    const answer = await race(busy, source, max_ms);
    if (answer instanceof Error) {
      retire(busy);
      return { errors: [{ line: 1, tag: 'mjml', message: explain(answer) }] };
    }
    idle = setTimeout(() => retire(busy), idle_ms).unref();
    return answer;
  }

  function retire(old: Worker): void {
    worker = undefined;
    void old.terminate();
  }

  return async function render(source: string): Promise<MjmlOutcome> {
    const include = findInclude(source);
    if (include) return { errors: [include] };
    if (waiting >= max_waiting) throw new Problem('service_unavailable', { retry_after_seconds: 5 });
    waiting += 1;
    const outcome = turn.then(async () => await takeTurn(source));
    turn = outcome.catch(() => undefined).finally(() => (waiting -= 1));
    return await outcome;
  };
}

export const renderMjml = createMjmlRenderer({ max_ms: 10_000, idle_ms: 60_000, max_waiting: 32 });

function startWorker(max_megabytes: number): Worker {
  const worker = new Worker(new URL('mjml-worker.ts', import.meta.url), {
    // The environment has secrets that it does not need, and the options of the process are not for it.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: max_megabytes },
  });
  // Its failures are those of the work it does; without a listener they would end the process.
  worker.on('error', () => undefined);
  // While it works, the timer of the work keeps the process alive.
  worker.unref();
  return worker;
}

class TooSlow extends Error {}

async function race(worker: Worker, source: string, max_ms: number): Promise<MjmlOutcome | Error> {
  const { promise, resolve } = Promise.withResolvers<MjmlOutcome | Error>();
  const timer = setTimeout(() => resolve(new TooSlow()), max_ms);
  const ended = (): void => resolve(new Error('The thread for MJML ended by itself.'));
  worker.once('message', resolve).once('error', resolve).once('exit', ended);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  worker.postMessage(source);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off('message', resolve).off('error', resolve).off('exit', ended);
  }
}

function explain(error: Error): string {
  const { code } = error as { code?: string };
  if (error instanceof TooSlow || code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return 'It takes too long to make this into HTML: it is too large or too complicated';
  }
  throw error;
}

/** Files are not read in any case; without a word about it the content would just be missing. */
function findInclude(source: string): MjmlError | undefined {
  const shown = source.replaceAll(/<!--(?:[\s\S]*?-->|[\s\S]*$)/g, (comment) =>
    comment.replaceAll(/[^\n]/g, ' '),
  );
  const at = shown.search(/<mj-include\b/i);
  if (at === -1) return undefined;
  const line = shown.slice(0, at).split('\n').length;
  const message = 'There is nothing to include: put the content into the template itself';
  return { line, tag: 'mj-include', message };
}
