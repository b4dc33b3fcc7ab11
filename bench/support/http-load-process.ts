import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { LoadResult, Task } from './http-load.ts';

const tool = path.join(import.meta.dirname, 'http-load.ts');

/** Asks from a process of its own, for machines without wrk. */
export async function loadWithNode(task: Task): Promise<LoadResult> {
  const running = promisify(execFile)(process.execPath, [tool], { maxBuffer: 2 ** 24 });
  // A batch is longer than an argument may be.
  running.child.stdin?.end(JSON.stringify(task));
  const { stdout } = await running;
  return JSON.parse(stdout) as LoadResult;
}
