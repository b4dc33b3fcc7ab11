import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './postfix.ts';

export interface OpenDkim {
  /** `host:port` of the milter. */
  address: string;
  pid: number;
  stop(): void;
}

/** `apt-get install opendkim` */
export function haveOpenDkim(): boolean {
  return spawnSync('sh', ['-c', 'command -v opendkim']).status === 0;
}

export async function startOpenDkim({ domain, key }: { domain: string; key: string }): Promise<OpenDkim> {
  const dir = mkdtempSync(path.join(tmpdir(), 'chq-opendkim-'));
  const port = await freePort();
  const keyFile = path.join(dir, 'key.pem');
  writeFileSync(keyFile, key);
  chmodSync(keyFile, 0o600);
  const settings = [
    'Mode s',
    `Domain ${domain}`,
    'Selector s1',
    `KeyFile ${keyFile}`,
    `Socket inet:${port}@127.0.0.1`,
    'Canonicalization relaxed/simple',
    'Syslog no',
    'RequireSafeKeys no',
  ];
  writeFileSync(path.join(dir, 'opendkim.conf'), `${settings.join('\n')}\n`);
  const child = spawn('opendkim', ['-f', '-x', path.join(dir, 'opendkim.conf')], { stdio: 'ignore' });
  await untilOpen(port);
  return {
    address: `127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop() {
      child.kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export async function untilOpen(port: number, host = '127.0.0.1'): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const socket = connect(port, host);
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await delay(25);
  }
  throw new Error(`nobody listens at ${host}:${port}`);
}
