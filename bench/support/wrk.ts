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

export async function loadWithWrk(task: Task, seconds: number): Promise<LoadResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-wrk-'));
  const script = path.join(folder, 'post.lua');
  const headers = Object.entries(task.headers).map(
    ([name, value]) => `wrk.headers["${name}"] = [==[${value}]==]`,
  );
  await writeFile(script, ['wrk.method = "POST"', `wrk.body = [==[${task.body}]==]`, ...headers].join('\n'));
  try {
    const args = ['-t1', `-c${task.connections}`, `-d${seconds}s`, '--latency', '-s', script];
    const { stdout } = await run('wrk', [...args, `${task.base_url}${task.path}`]);
    const number = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? 0);
    return {
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

const factors: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };

function milliseconds(match: RegExpExecArray | null): number {
  return Number(match?.[1] ?? 0) * (factors[match?.[2] ?? 'ms'] ?? 1);
}
