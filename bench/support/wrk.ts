import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { LoadResult, Task } from './http-load.ts';

const run = promisify(execFile);

/** A load tool in C takes a tenth of the processor that one in Node does, and leaves it to what is measured. */
export function haveWrk(): boolean {
  return spawnSync('sh', ['-c', 'command -v wrk']).status === 0;
}

/** Posts one body to one path, or gets many paths in turn. */
export async function loadWithWrk(
  task: Task & { paths?: string[] },
  seconds: number,
): Promise<LoadResult & { requests: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-wrk-'));
  const script = path.join(folder, 'load.lua');
  const headers = Object.entries(task.headers).map(
    ([name, value]) => `wrk.headers["${name}"] = [==[${value}]==]`,
  );
  const requests = task.paths
    ? getting(task.paths)
    : ['wrk.method = "POST"', `wrk.body = [==[${task.body}]==]`];
  await writeFile(script, [...requests, ...headers].join('\n'));
  try {
    const args = ['-t1', `-c${task.connections}`, `-d${seconds}s`, '--latency', '-s', script];
    const { stdout } = await run('wrk', [...args, `${task.base_url}${task.path}`]);
    const number = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? 0);
    return {
      requests: number(/(\d+) requests in/),
      per_second: number(/Requests\/sec:\s+([\d.]+)/),
      p50_ms: milliseconds(/50%\s+([\d.]+)(us|ms|s)/.exec(stdout)),
      p99_ms: milliseconds(/99%\s+([\d.]+)(us|ms|s)/.exec(stdout)),
      failures: number(/Non-2xx or 3xx responses: (\d+)/),
      cpu_us_per_request: 0,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function getting(paths: string[]): string[] {
  const list = paths.map((each) => `"${each}"`).join(',');
  const next = 'at = at % #paths + 1 return wrk.format("GET", paths[at])';
  return [`local paths = {${list}}`, 'local at = 0', `request = function() ${next} end`];
}

const factors: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };

function milliseconds(match: RegExpExecArray | null): number {
  return Number(match?.[1] ?? 0) * (factors[match?.[2] ?? 'ms'] ?? 1);
}
