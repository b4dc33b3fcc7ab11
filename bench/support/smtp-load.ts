import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface SmtpTask {
  address: string;
  username: string;
  password: string;
  from: string;
  to: string;
  bytes: number;
  connections: number;
  messages: number;
  /** One connection for many messages, or a new one for each. */
  reuse: boolean;
}

/** A load tool in C takes a quarter of the processor that one in Node does, and leaves it to what is measured. */
export function haveCompiler(): boolean {
  return spawnSync('sh', ['-c', 'command -v cc']).status === 0;
}

/** Submits messages from a process of its own, as fast as the server takes them. */
export async function loadWithSmtp(task: SmtpTask): Promise<{ per_second: number }> {
  const { stdout } = haveCompiler() ? await runCompiled(task) : await runInNode(task);
  return JSON.parse(stdout) as { per_second: number };
}

async function runInNode(task: SmtpTask): Promise<{ stdout: string }> {
  const script = path.join(import.meta.dirname, 'smtp-load-process.ts');
  return await run(process.execPath, [script, JSON.stringify(task)]);
}

async function runCompiled(task: SmtpTask): Promise<{ stdout: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-smtp-load-'));
  const program = path.join(folder, 'smtp-load');
  const [host = '', port = ''] = task.address.split(':');
  const credentials = Buffer.from(`\0${task.username}\0${task.password}`).toString('base64');
  try {
    await run('cc', ['-O2', '-o', program, path.join(import.meta.dirname, 'smtp-load.c')]);
    const counts = [task.connections, task.messages, task.reuse ? 1 : 0, task.bytes].map(String);
    return await run(program, [host, port, ...counts, task.from, task.to, credentials]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
