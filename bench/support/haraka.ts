import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { untilOpen } from './opendkim.ts';
import { freePort } from './postfix.ts';

const run = promisify(execFile);
const version = '3.3.4';
/** Outside of the repository: it is not a dependency, and has 100 packages. */
const cache = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'chasqui-bench',
  `haraka-${version}`,
);

export interface Haraka {
  port: number;
  pid: number;
  stop(): void;
}

export interface HarakaTask {
  /** `host:port` to deliver everything to; without one every message is kept as a file in `kept_in`. */
  relay_to?: string;
  kept_in?: string;
  dkim?: { domain: string; key: string };
  workers?: number;
  certificate?: { cert: string; key: string };
  listen?: { host: string; port: number };
}

/** Installed on first use. The newest versions of three of its packages are not in every registry. */
async function installHaraka(): Promise<string> {
  const folder = path.join(cache, 'node_modules', 'Haraka');
  if (existsSync(path.join(folder, 'haraka.js'))) return folder;
  mkdirSync(cache, { recursive: true });
  const overrides = { libmime: '5.3.7', libqp: '2.1.1', 'encoding-japanese': '2.2.0' };
  const manifest = { private: true, dependencies: { Haraka: version }, overrides };
  writeFileSync(path.join(cache, 'package.json'), JSON.stringify(manifest));
  await run('npm', ['install', '--no-audit', '--no-fund', '--omit=dev'], { cwd: cache, timeout: 300_000 });
  return folder;
}

export async function startHaraka(task: HarakaTask): Promise<Haraka> {
  const folder = await installHaraka();
  const dir = mkdtempSync(path.join(tmpdir(), 'chq-haraka-'));
  const { host, port } = task.listen ?? { host: '127.0.0.1', port: await freePort() };
  configure(dir, { folder, listen: `${host}:${port}`, task });
  const child = spawn(process.execPath, [path.join(folder, 'bin', 'haraka'), '-c', dir], {
    stdio: 'ignore',
    env: { ...process.env, NODE_PATH: path.join(cache, 'node_modules') },
  });
  await untilOpen(port, host);
  return {
    port,
    pid: child.pid ?? 0,
    stop() {
      child.kill('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function configure(dir: string, given: { folder: string; listen: string; task: HarakaTask }): void {
  const { folder, listen, task } = given;
  const config = path.join(dir, 'config');
  mkdirSync(path.join(dir, 'plugins'), { recursive: true });
  mkdirSync(path.join(dir, 'queue'));
  mkdirSync(config);
  // Without it every connection hangs.
  cpSync(path.join(folder, 'config', 'connection.ini'), path.join(config, 'connection.ini'));
  const write = (name: string, lines: string[]): void =>
    writeFileSync(path.join(config, name), `${lines.join('\n')}\n`);
  write('smtp.ini', [`listen=${listen}`, `nodes=${task.workers ?? 0}`]);
  write('outbound.ini', ['concurrency_max=50', 'enable_tls=false', 'local_mx_ok=true']);
  write('log.ini', ['[main]', 'level=warn']);
  write('host_list', ['localhost']);
  write('me', ['haraka.test']);
  write('plugins', [...(task.certificate ? ['tls'] : []), ...(task.dkim ? ['dkim'] : []), 'bench']);
  if (task.certificate) {
    write('tls_key.pem', [task.certificate.key.trim()]);
    write('tls_cert.pem', [task.certificate.cert.trim()]);
  }
  if (task.dkim) {
    const { domain, key } = task.dkim;
    write('dkim.ini', [
      '[sign]',
      'enabled=true',
      `domain=${domain}`,
      'selector=s1',
      '[verify]',
      'enabled=false',
    ]);
    mkdirSync(path.join(config, 'dkim', domain), { recursive: true });
    write(path.join('dkim', domain, 'private'), [key.trim()]);
    write(path.join('dkim', domain, 'selector'), ['s1']);
  }
  writeFileSync(path.join(dir, 'plugins', 'bench.js'), plugin(task));
}

/** Takes mail from everybody, and either relays it or keeps what arrived, with its envelope in front. */
function plugin({ relay_to, kept_in = '' }: HarakaTask): string {
  const [host = '', port = ''] = (relay_to ?? ':').split(':');
  return `
const fs = require('node:fs');
const path = require('node:path');
const relays = ${JSON.stringify(relay_to !== undefined)};
exports.hook_lookup_rdns = (next) => next(OK, 'localhost');
exports.hook_connect = (next, connection) => { connection.relaying = relays; next(); };
exports.hook_mail = (next) => next(OK);
exports.hook_rcpt = (next) => next(OK);
exports.hook_get_mx = (next) => next(OK, { exchange: '${host}', port: ${Number(port)}, priority: 0 });
if (!relays) exports.hook_queue = (next, connection) => {
  const { transaction } = connection;
  const file = path.join(${JSON.stringify(kept_in)}, transaction.uuid);
  const kept = fs.createWriteStream(file + '.part').on('finish', () => {
    fs.renameSync(file + '.part', file + '.eml');
    next(OK);
  });
  kept.write('Return-Path: ' + transaction.mail_from.format() + '\\r\\n');
  transaction.message_stream.pipe(kept);
};
`;
}
