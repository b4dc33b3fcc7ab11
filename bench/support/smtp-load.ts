import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { compile, haveCompiler } from './compile.ts';

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
  const program = await compile('smtp-load.c');
  const [host = '', port = ''] = task.address.split(':');
  const credentials = Buffer.from(`\0${task.username}\0${task.password}`).toString('base64');
  try {
    const counts = [task.connections, task.messages, task.reuse ? 1 : 0, task.bytes].map(String);
    return await run(program.file, [host, port, ...counts, task.from, task.to, credentials]);
  } finally {
    await program.remove();
  }
}
