import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { instruction, root, unitSettings } from './support/deploy-files.ts';
import { finish, type Ready } from './support/service-process.ts';
import { waitFor } from './support/wait-for.ts';

const mayUnshare =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', '--net', 'true']).status === 0;
const skip = mayUnshare ? false : 'needs root and namespaces';
/** initdb wants its user to have a name. */
const nobody = 65_534;

/**
 * The namespaces of a container, with what the tests have: everything is read-only but the data folder, the user is
 * not root, and the one capability is that of the unit. The project is seen at /mnt, whatever the rights of the folders
 * above it.
 */
const confine = `
  set -e
  mount --make-rprivate /
  mount --bind "$DATA" "$DATA"
  mount --bind "$PROJECT" /mnt
  mount -o remount,bind,ro /mnt
  mount -o remount,bind,ro /
  if touch "$PROJECT/probe" /tmp/probe /mnt/probe 2>/dev/null; then exit 9; fi
  ip link set lo up
  caps=-all,+net_bind_service
  exec setpriv --reuid=${nobody} --regid=${nobody} --clear-groups --no-new-privs \\
    --bounding-set=$caps --inh-caps=$caps --ambient-caps=$caps "$@"`;

test(
  'the service runs read-only and not as root, on the ports of mail, is healthy, and stops in order',
  { skip },
  async (t) => {
    const data = mkdtempSync(path.join(tmpdir(), 'chq-confined-'));
    chownSync(data, nobody, nobody);
    t.after(() => rmSync(data, { recursive: true, force: true }));
    const settings = [...unitSettings('deploy/systemd/chasqui.env')].map(([name, [value]]) => [name, value]);
    const [, program = ''] = JSON.parse(instruction('ENTRYPOINT')) as string[];
    const words = [
      process.execPath.replace(root, '/mnt'),
      program.replace('/srv/chasqui', '/mnt'),
      ...(JSON.parse(instruction('CMD')) as string[]),
    ];
    const child = spawn(
      'unshare',
      ['--mount', '--net', '--fork', '--kill-child', 'sh', '-c', confine, 'sh', ...words, '--json'],
      {
        cwd: '/',
        env: {
          PATH: process.env['PATH'],
          ...Object.fromEntries(settings),
          DATA: data,
          PROJECT: root,
          CHASQUI_DATA_DIR: data,
          CHASQUI_SHUTDOWN_DELAY_SECONDS: '0',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    t.after(() => child.kill('SIGKILL'));
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    const exited = finish(child);
    const ended = exited.then(({ code, stderr }) => assert.fail(`ended with ${code}: ${stderr}`));
    await Promise.race([
      waitFor(() => output.endsWith('\n'), { timeout_ms: 60_000, what: 'the service' }),
      ended,
    ]);
    const { pid, submission, inbound, dns } = JSON.parse(output) as Ready &
      Record<'inbound' | 'dns', string> & { submission: Record<string, string> };
    assert.deepEqual(
      [submission['starttls'], submission['tls'], inbound, dns],
      ['0.0.0.0:587', '0.0.0.0:465', '0.0.0.0:25', '0.0.0.0:53'],
    );
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    assert.match(status, new RegExp(String.raw`^Uid:\s+${nobody}\s+${nobody}\s`, 'm'));
    assert.match(status, /^CapBnd:\t0000000000000400$/m);
    const [, ...healthcheck] = JSON.parse(
      /CMD (\[.*\])$/.exec(instruction('HEALTHCHECK'))?.[1] ?? '',
    ) as string[];
    const ask = spawnSync('nsenter', ['--target', String(pid), '--net', process.execPath, ...healthcheck]);
    assert.equal(ask.status, 0);
    process.kill(pid, 'SIGTERM');
    assert.equal((await exited).code, 0);
  },
);
