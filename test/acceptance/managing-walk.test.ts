import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { blocksOf, guideText } from '../guides/guide-blocks.fixture.ts';
import { createApi } from '../support/api.ts';
import { startDnsServer, type DnsServer } from '../support/dns-server.ts';
import { delegateKeys } from '../support/publish-domain.ts';
import { startRemoteMx, type RemoteMx } from '../support/remote-mx.ts';
import { runCommand } from '../support/run-command.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink.ts';

const [build = '', takeDown = ''] = blocksOf(guideText('docs/managing-by-api'))
  .filter(({ text }) => text.startsWith('#!'))
  .map(({ text }) => text);
const missing = ['bash', 'curl', 'jq'].find((program) => spawnSync(program, ['--version']).error);
const skip = missing === undefined ? false : `there is no ${missing}`;

let world: DnsServer;
let mx: RemoteMx;
let sink: WebhookSink;
let service: TestService;
let folder: string;
before(async () => {
  world = await startDnsServer({});
  mx = await startRemoteMx({});
  sink = await startWebhookSink();
  service = await startTestService({
    roles: 'api,web,delivery,webhooks,dns',
    env: {
      CHASQUI_DNS_SERVERS: world.address,
      CHASQUI_MX_PORT: String(mx.port),
      CHASQUI_MX_ALLOW_PRIVATE: 'true',
      CHASQUI_ALLOW_LOCAL_BASE_URL: 'true',
      CHASQUI_PLATFORM_DOMAIN: 'mail.acme.cl',
      CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true',
    },
  });
  folder = await mkdtemp(path.join(tmpdir(), 'chq-managing-'));
  world.set('acme.org', 'MX', ['10 mx.acme.org']);
  world.set('mx.acme.org', 'A', ['127.0.0.1']);
});
after(async () => {
  await service.stop();
  await sink.stop();
  await mx.stop();
  await world.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The provider of the domain's DNS, as the program that the script calls for each record. */
async function startProvider(t: { after(cleanup: () => void): void }): Promise<string> {
  const provider = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://provider');
    const [type = '', host = '', value = ''] = ['type', 'host', 'value'].map(
      (name) => searchParams.get(name) ?? '',
    );
    world.set(host, type as 'CNAME', [type === 'MX' ? `10 ${value}` : value]);
    const isKey = type === 'CNAME' && host.includes('._domainkey.');
    const published = isKey
      ? delegateKeys(
          world,
          { dns_records: { dkim: [{ type, host, value, priority: null }] } } as never,
          service.service.addresses.dns ?? '',
        )
      : Promise.resolve();
    void published.then(() => response.end());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => provider.once('listening', resolve));
  t.after(() => provider.close().closeAllConnections());
  const { port } = provider.address() as AddressInfo;
  const program = path.join(folder, 'records');
  const data = ['type', 'host', 'value'].map((name, index) => `--data-urlencode "${name}=$${index + 1}"`);
  await writeFile(program, `#!/bin/sh\ncurl -sS -G http://127.0.0.1:${port}/ ${data.join(' ')}\n`);
  await chmod(program, 0o755);
  return program;
}

test(
  'the script of the guide sets everything up with an operator key and curl, twice the same, and takes it down',
  { skip },
  async (t) => {
    const made = await runCommand(['operator-key', 'create', '--name', 'walk'], {
      DATABASE_URL: service.database.url,
      CHASQUI_DATA_DIR: folder,
    });
    const operator_key = made.stdout.trim();
    assert.match(operator_key, /^chqop\./);
    const env = {
      PATH: process.env['PATH'],
      OPERATOR_KEY: operator_key,
      BASE: service.base_url,
      DOMAIN: 'shop.acme.cl',
      TO: 'ana@acme.org',
      HOOK: `${sink.url}/hook`,
      POLL: '0.2',
      RECORDS: await startProvider(t),
    };
    const run = async (script: string): Promise<string> => {
      const file = path.join(folder, 'script.sh');
      await writeFile(file, script);
      const { stdout } = await promisify(execFile)('bash', [file], { cwd: folder, env, timeout: 120_000 });
      return stdout;
    };
    const printed = await run(build);
    assert.match(printed, /"sent":1/);
    assert.equal(mx.messages.length, 1);
    assert.match(mx.messages[0]?.data.toString() ?? '', /Hello Ana\./);
    const [posted] = await sink.waitForRequests(1);
    assert.equal(JSON.parse(posted?.body.toString() ?? '').type, 'mail.sent');
    const [, formUrl = ''] = /The form is at (\S+);/.exec(printed) ?? [];
    const form = await fetch(formUrl);
    assert.deepEqual([form.status, (await form.text()).includes('Shoe size')], [200, true]);

    const rows = async (): Promise<Record<string, number>> => {
      const [counts] = await service.db.query<Record<string, number>>(
        `select ${[
          'domains',
          'senders',
          'mail_templates',
          'forms',
          'fields',
          'webhooks',
          'consent_terms',
          'consent_purposes',
        ]
          .map((table) => `(select count(*) from ${table} where external_id like 'shop/%') as ${table}`)
          .join(', ')}`,
      );
      return counts ?? {};
    };
    const first = await rows();
    assert.ok(
      Object.values(first).every((count) => count === 1),
      JSON.stringify(first),
    );
    assert.match(await run(build), /"sent":1/);
    assert.deepEqual(await rows(), first, 'a second run makes nothing twice');

    await run(takeDown);
    const operator = createApi({ base_url: service.base_url, api_key: operator_key });
    assert.equal((await operator.get('/v1/operator/instances/shop')).json.is_enabled, false);
    const left = await service.db.query<{ kind: string }>(
      `select 'domain' as kind from domains where deleted_at is null and not is_sandbox
     union all select 'template' from mail_templates where deleted_at is null
     union all select 'form' from forms where deleted_at is null
     union all select 'field' from fields where deleted_at is null and external_id is not null
     union all select 'webhook' from webhooks
     union all select 'restriction' from restrictions
     union all select 'term' from consent_terms where is_active
     union all select 'purpose' from consent_purposes where is_enabled and external_id is not null
     union all select 'key' from api_keys where revoked_at is null
     union all select 'credential' from smtp_credentials where revoked_at is null`,
    );
    assert.deepEqual(left, []);
  },
);
