import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { startDnsServer } from '../../test/support/dns-server.ts';
import { runCommand } from '../../test/support/run-command.ts';
import { startTestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { readConfig } from '../base/config.ts';
import { checkOrderedCertificate } from '../main/external-checks/check-certificate.ts';
import { selfSignedCertificate } from '../protocol/tls/self-signed-certificate.ts';

/** The ACME server of Let's Encrypt for tests, as Debian packages it. */
const skip = spawnSync('pebble', ['-version']).error ? 'pebble is not installed' : false;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test(
  'pebble: each failure has its cause in doctor, and certificate retry orders once it is mended',
  { skip },
  async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'chq-pebble-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const dns = await startDnsServer({});
    t.after(async () => await dns.stop());
    const [port, management, challenge] = [await freePort(), await freePort(), await freePort()];
    const directory = `https://localhost:${port}/dir`;
    const base = {
      CHASQUI_ACME_DIRECTORY: directory,
      CHASQUI_BASE_URL: 'https://mail.acme.test',
      CHASQUI_PLATFORM_DOMAIN: 'acme.test',
      CHASQUI_HTTPS_PORT: '0',
    };
    const service = await startTestService({
      env: { ...base, CHASQUI_HTTP_PORT: String(challenge) },
      roles: 'api,web,jobs',
    });
    t.after(async () => await service.stop());
    const ca_file = path.join(folder, 'ca.pem');
    startPebble();

    function startPebble(): void {
      const names = ['localhost', '127.0.0.1'] as const;
      const { cert, key } = selfSignedCertificate({
        names,
        valid_from: new Date(0),
        valid_days: 36_500,
        is_authority: true,
      });
      writeFileSync(ca_file, cert);
      writeFileSync(path.join(folder, 'key.pem'), key);
      const settings = {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${management}`,
        certificate: ca_file,
        privateKey: path.join(folder, 'key.pem'),
        httpPort: challenge,
        tlsPort: challenge,
        ocspResponderURL: '',
        externalAccountBindingRequired: false,
      };
      writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ pebble: settings }));
      const words = ['-config', path.join(folder, 'config.json'), '-dnsserver', dns.address];
      const env = { ...process.env, PEBBLE_VA_NOSLEEP: '1' };
      const pebble = spawn('pebble', words, { stdio: 'ignore', env });
      t.after(() => void pebble.kill());
    }

    const ready = async (): Promise<boolean> =>
      await new Promise((resolve) => {
        const question = request(directory, { rejectUnauthorized: false }, (answer) => {
          answer.resume();
          resolve(answer.statusCode === 200);
        });
        question.on('error', () => resolve(false)).end();
      });
    await waitFor(ready, { timeout_ms: 30_000, what: 'pebble' });

    const env = {
      ...base,
      DATABASE_URL: service.database.url,
      CHASQUI_DATA_DIR: folder,
      CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
    };
    const retry = async (): Promise<{ ok: boolean; error: string | null; result: string | null }> => {
      const { stdout } = await runCommand(['certificate', 'retry', '--json'], env);
      // The command's, not this process's.
      process.exitCode = undefined;
      return JSON.parse(stdout);
    };
    const doctor = async (): Promise<string> => {
      const config = { ...readConfig(env), acme_directory: directory };
      return await checkOrderedCertificate(service.db, config, new Date()).catch(
        (error: { message: string; action?: string }) => `${error.message} → ${error.action}`,
      );
    };

    assert.match((await retry()).error ?? '', /certificate/);
    assert.match(await doctor(), /does not trust the certificate of https:.*CHASQUI_CA_FILE/);
    const [job] = await service.db.query<{ last_error: string | null }>(
      "select last_error from jobs where name = 'certificate'",
    );
    assert.ok(job?.last_error, 'the job is red');

    const { trustAuthorities } = await import('../base/trusted-authorities.ts');
    trustAuthorities(ca_file);
    assert.equal((await retry()).ok, false, 'its names do not resolve');
    assert.match(await doctor(), /→ (?:The authority cannot resolve the name|The authority asks port 80)/);

    for (const name of ['mail.acme.test', 'mx.acme.test']) dns.set(name, 'A', ['127.0.0.1']);
    const done = await retry();
    assert.deepEqual([done.ok, done.error], [true, null], JSON.stringify(done));
    assert.match(done.result ?? '', /^got a certificate for mail\.acme\.test, mx\.acme\.test/);
  },
);
