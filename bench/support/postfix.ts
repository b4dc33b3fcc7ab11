import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Postfix {
  port: number;
  /** Of its master, whose children do the work. */
  pid: number;
  stop(): void;
}

export interface PostfixTask {
  /** `host:port` to deliver everything to; without one mail stays in the hold queue. */
  relay_to?: string;
  /** `host:port` of a milter that signs. */
  milter?: string;
  /** Takes mail for this domain and keeps it in a Maildir, over TLS where the client wants it. */
  receives?: { domain: string; folder: string; certificate: { cert: string; key: string } };
  listen?: { host: string; port: number };
}

/** Debian's postfix and its smtp-source, when the machine has them: `apt-get install postfix`, run as root. */
export function havePostfix(): boolean {
  const found = spawnSync('sh', ['-c', 'command -v postfix && command -v smtp-source'], { encoding: 'utf8' });
  return found.status === 0 && process.getuid?.() === 0;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Tuned, on loopback. Without a relay it accepts everything durably into its hold queue, the cheapest durable accept it
 * has; with one it delivers everything there.
 */
export async function startPostfix(task: PostfixTask = {}): Promise<Postfix> {
  const { host, port } = task.listen ?? { host: '127.0.0.1', port: await freePort() };
  const dir = mkdtempSync(path.join(tmpdir(), 'chq-postfix-'));
  const ids = spawnSync('id', ['-u', 'postfix'], { encoding: 'utf8' }).stdout.trim();
  chmodSync(dir, 0o755);
  for (const name of ['queue', 'data']) mkdirSync(path.join(dir, name), { mode: 0o755 });
  chownSync(path.join(dir, 'data'), Number(ids), 0);
  writeFileSync(
    path.join(dir, 'main.cf'),
    `compatibility_level = 3.6
queue_directory = ${dir}/queue
data_directory = ${dir}/data
maillog_file = ${dir}/log
maillog_file_prefixes = ${dir}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
mydestination =
local_recipient_maps =
smtpd_peername_lookup = no
smtp_dns_support_level = disabled
in_flow_delay = 0
default_process_limit = 100
smtpd_client_event_limit_exceptions = static:all
smtpd_recipient_restrictions = permit_mynetworks, reject
${settingsFor(task, dir).join('\n')}
`,
  );
  writeFileSync(
    path.join(dir, 'master.cf'),
    `${host}:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
smtp unix - - n - - smtp
virtual unix - n n - - virtual
scache unix - - n - 1 scache
tlsmgr unix - - n 1000? 1 tlsmgr
anvil unix - - n - 1 anvil
proxymap unix - - n - - proxymap
postlog unix-dgram n - n - 1 postlogd
`,
  );
  allowFolder(dir);
  const started = spawnSync('postfix', ['-c', dir, 'start'], { encoding: 'utf8' });
  if (started.status !== 0) throw new Error(`postfix did not start: ${started.stderr}`);
  return {
    port,
    pid: Number(readFileSync(path.join(dir, 'queue/pid/master.pid'), 'utf8').trim()),
    stop() {
      spawnSync('postfix', ['-c', dir, 'stop']);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function settingsFor({ relay_to, milter, receives }: PostfixTask, dir: string): string[] {
  if (receives !== undefined) return receiverSettings(receives, dir);
  if (relay_to === undefined) {
    return ['smtpd_client_restrictions = check_client_access static:HOLD', 'default_transport = discard:x'];
  }
  const [host, port] = relay_to.split(':');
  return [
    `default_transport = smtp:[${host}]:${port}`,
    'smtp_host_lookup = native',
    'initial_destination_concurrency = 50',
    'default_destination_concurrency_limit = 50',
    'smtp_connection_cache_destinations = static:all',
    ...(milter === undefined ? [] : [`smtpd_milters = inet:${milter}`, 'milter_default_action = tempfail']),
  ];
}

function receiverSettings(
  { domain, folder, certificate }: NonNullable<PostfixTask['receives']>,
  dir: string,
) {
  writeFileSync(path.join(dir, 'tls.pem'), `${certificate.key}${certificate.cert}`, { mode: 0o600 });
  const nobody = 65_534;
  mkdirSync(folder, { recursive: true });
  chownSync(folder, nobody, nobody);
  return [
    `virtual_mailbox_domains = ${domain}`,
    `virtual_mailbox_base = ${folder}`,
    'virtual_mailbox_maps = static:inbox/',
    `virtual_uid_maps = static:${nobody}`,
    `virtual_gid_maps = static:${nobody}`,
    'smtpd_tls_security_level = may',
    `smtpd_tls_chain_files = ${dir}/tls.pem`,
    'smtputf8_enable = yes',
  ];
}

/** Postfix as root reads only folders that its own configuration names. */
function allowFolder(dir: string): void {
  spawnSync('sh', ['-c', 'touch /etc/postfix/main.cf']);
  const known = spawnSync('postconf', ['-h', 'alternate_config_directories'], { encoding: 'utf8' }).stdout;
  const dirs = [
    ...known
      .trim()
      .split(/[ ,]+/)
      .filter((each) => existsSync(each)),
    dir,
  ];
  spawnSync('postconf', ['-e', `alternate_config_directories=${dirs.join(' ')}`]);
}

/** Messages per second of postfix's own load tool. */
export async function smtpSource(
  port: number,
  options: { messages: number; bytes: number; reuse: boolean; from?: string },
): Promise<number> {
  const { messages, bytes, reuse, from = 'a@b.test' } = options;
  const args = ['-s', '20', '-l', String(bytes), '-m', String(messages), ...(reuse ? ['-d'] : [])];
  const began = performance.now();
  await run('smtp-source', [...args, '-f', from, '-t', 'c@d.test', `127.0.0.1:${port}`], {
    timeout: 120_000,
  });
  return messages / ((performance.now() - began) / 1000);
}
