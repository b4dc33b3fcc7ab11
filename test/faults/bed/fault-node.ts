import path from 'node:path';
import type { Environment } from '../../../src/base/config.ts';
import type { Bed, ServiceProcess } from '../../support/service-process.ts';
import type { Ledger } from './ledger.ts';
import type { Sink } from './sink.ts';

export interface NodeOptions {
  roles: string;
  /** A folder with `src/` and `bin/`. */
  code: string;
  env: Environment;
}

/** A service process that is killed, stopped and started again; its remote server stays the same. */
export interface FaultNode {
  name: string;
  base_url: string;
  /** `host:port` of SMTP submission, empty without that role. */
  submission: string;
  is_up: boolean;
  pid: number;
  /** What the processes that it was have logged, the oldest first. */
  log: string[];
  /** `kill -9`. */
  kill: () => Promise<void>;
  /** Starts it, also anew after its end. */
  start: () => Promise<void>;
  /** SIGTERM, and waits for the end. */
  stop: () => Promise<void>;
  /** SIGSTOP and SIGCONT. */
  freeze(): void;
  thaw(): void;
  /** Status and body of `/readyz`. */
  readiness(): Promise<{ status: number; text: string }>;
}

export interface NodeSurroundings {
  bed: Bed;
  ledger: Ledger;
  sink: Sink;
}

export function programOf(code: string): string[] {
  return [process.execPath, path.join(code, 'bin/chasqui')];
}

export async function startFaultNode(
  name: string,
  { roles, code, env }: NodeOptions,
  { bed, ledger, sink }: NodeSurroundings,
): Promise<FaultNode> {
  let service: ServiceProcess;
  const node: FaultNode = {
    name,
    base_url: '',
    submission: '',
    is_up: false,
    pid: 0,
    log: [],
    async start() {
      const settings = { ...env, CHASQUI_MX_PORT: String(sink.port) };
      service = await bed.serve(['--roles', roles], settings, programOf(code));
      const { base_url, submission } = service.ready as {
        base_url?: string;
        submission?: { starttls: string };
      };
      const { pid = 0 } = service.child;
      service.child.stderr?.on('data', (text: Buffer) => void node.log.push(text.toString()));
      Object.assign(node, {
        base_url: base_url ?? '',
        submission: submission?.starttls ?? '',
        is_up: true,
        pid,
      });
    },
    async kill() {
      node.is_up = false;
      service.child.kill('SIGKILL');
      ledger.silences.push({ node: name, from: Date.now(), until: Date.now() + 1_000 });
      await service.exited;
    },
    async stop() {
      node.is_up = false;
      service.child.kill('SIGTERM');
      await service.exited;
    },
    freeze() {
      service.child.kill('SIGSTOP');
      ledger.silences.push({ node: name, from: Date.now(), until: Date.now() + 1_000 });
    },
    thaw: () => void service.child.kill('SIGCONT'),
    async readiness() {
      const base = node.base_url || service.ready.metrics_url.replace(/\/metrics$/, '');
      const response = await fetch(`${base}/readyz`, { signal: AbortSignal.timeout(5_000) });
      return { status: response.status, text: await response.text() };
    },
  };
  await node.start();
  return node;
}
