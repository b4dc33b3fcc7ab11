import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface BareMail {
  http_port: number;
  smtp_port: number;
  pid: number;
  stop(): Promise<void>;
}

/** What the machine could do at most (`bare-mail-process.ts`), in a process of its own, with its own PostgreSQL. */
export async function startBareMail({ relay_to }: { relay_to?: string } = {}): Promise<BareMail> {
  const script = path.join(import.meta.dirname, 'bare-mail-process.ts');
  const child = spawn(process.execPath, [script, ...(relay_to ? [relay_to] : [])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const ports = JSON.parse(line) as { http_port: number; smtp_port: number };
  return {
    ...ports,
    pid: child.pid ?? 0,
    async stop() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
