import { json } from 'node:stream/consumers';
import { Pool } from 'undici';

/** Started as a process of its own, so that its work is not the service's: reads its task from standard input. */
export interface Task {
  base_url: string;
  path: string;
  /** Asked for in turn, in the place of `path`. */
  paths?: string[];
  /** POST unless said. */
  method?: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  connections: number;
  /** How long, or how many requests; whichever is given. */
  seconds?: number;
  requests?: number;
}

export interface LoadResult {
  requests: number;
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  failures: number;
  cpu_us_per_request: number;
}

async function load(task: Task): Promise<LoadResult> {
  const pool = new Pool(task.base_url, { connections: task.connections, pipelining: 1 });
  const latencies: number[] = [];
  let failures = 0;
  const state = { stop: false, left: task.requests ?? Infinity };
  let turn = 0;
  const nextPath = (): string => task.paths?.[turn++ % task.paths.length] ?? task.path;
  const worker = async (): Promise<void> => {
    while (!state.stop && state.left > 0) {
      state.left -= 1;
      const began = performance.now();
      const { statusCode, body } = await pool.request({
        method: task.method ?? 'POST',
        path: nextPath(),
        headers: task.headers,
        body: task.body ?? null,
      });
      await body.dump();
      if (statusCode < 400) latencies.push(performance.now() - began);
      else failures += 1;
    }
  };
  const began = performance.now();
  const cpu = process.cpuUsage();
  const workers = Array.from({ length: task.connections }, worker);
  const timer =
    task.seconds === undefined ? undefined : setTimeout(() => (state.stop = true), task.seconds * 1000);
  await Promise.all(workers);
  clearTimeout(timer);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await pool.close();
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  return {
    requests: latencies.length,
    per_second: latencies.length / seconds,
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    failures,
    cpu_us_per_request: (user + system) / Math.max(1, latencies.length),
  };
}

if (import.meta.main) process.stdout.write(JSON.stringify(await load((await json(process.stdin)) as Task)));
