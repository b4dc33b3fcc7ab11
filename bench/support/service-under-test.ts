import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface ServiceUnderTest {
  base_url: string;
  submission: { starttls: string; tls: string };
  api_key: string;
  slug: string;
  pid: number;
  /** Of the service and its commands. */
  env: Record<string, string | undefined>;
  /** Runs a command of the command line against the same data and gives its JSON. */
  command(...words: string[]): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

const thisCheckout = path.resolve(import.meta.dirname, '../..');
const node = process.execPath;

/** Who asks, where the data is not that of a first start. */
interface Caller {
  slug: string;
  api_key: string;
}

/** The service as an operator starts it: own process, embedded and durable database, limits of the demo lifted. */
export async function startServiceUnderTest(
  roles: string,
  env: Record<string, string> = {},
  { caller, checkout = thisCheckout }: { caller?: Caller; checkout?: string } = {},
): Promise<ServiceUnderTest> {
  const data_dir = await mkdtemp(path.join(tmpdir(), 'chq-bench-'));
  const settings = {
    ...process.env,
    CHASQUI_DATA_DIR: data_dir,
    CHASQUI_HTTP_PORT: '0',
    CHASQUI_METRICS_PORT: '0',
    CHASQUI_DNS_PORT: '0',
    CHASQUI_SUBMISSION_PORT: '0',
    CHASQUI_SUBMISSIONS_PORT: '0',
    CHASQUI_INBOUND_PORT: '0',
    CHASQUI_LOG_LEVEL: 'warn',
    CHASQUI_PRINT_CREDENTIALS: 'true',
    ...env,
  };
  const child = spawn(node, ['bin/chasqui', 'serve', '--roles', roles, '--json'], {
    cwd: checkout,
    env: settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = await firstLine(child);
  const command: ServiceUnderTest['command'] = async (...words) => {
    const run = spawn(node, ['bin/chasqui', ...words, '--json'], { cwd: checkout, env: settings });
    const line = firstLine(run);
    await once(run, 'exit');
    return await line;
  };
  const demo = caller ?? (ready['demo'] as Caller);
  await command(
    'instance',
    'set',
    demo.slug,
    'requests_per_second=0',
    'smtp_messages_per_second=0',
    `bandwidth_bytes_per_second=${2 ** 36}`,
    `bandwidth_burst_bytes=${2 ** 36}`,
  );
  return {
    base_url: ready['base_url'] as string,
    submission: ready['submission'] as ServiceUnderTest['submission'],
    api_key: demo.api_key,
    slug: demo.slug,
    pid: child.pid ?? 0,
    env: settings,
    command,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

async function firstLine(child: ChildProcess): Promise<Record<string, unknown>> {
  if (!child.stdout) throw new Error('no output to read');
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{') && !line.startsWith('{"level"'))
      return JSON.parse(line) as Record<string, unknown>;
  }
  throw new Error('the process ended without an answer');
}
