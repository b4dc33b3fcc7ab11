import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { Environment } from '../../src/base/config.ts';
import type { Domain } from '../../src/domains/domain-schemas.ts';
import { runCommandLine } from '../../src/main/command-line.ts';
import { startDnsServer, type DnsServer } from '../support/dns-server.ts';
import { delegateKeys, publishRecords } from '../support/publish-domain.ts';
import { startRemoteMx, type RemoteMx } from '../support/remote-mx.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';

const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/operating.md'), 'utf8');
const [, walk = ''] = /^## From an empty machine to a sending domain$(.*?)^## /ms.exec(guide) ?? [];
/** The commands as they stand there, for names that are not reserved. */
const commands = [...walk.matchAll(/```sh\n(.*?)```/gs)]
  .flatMap(([, block = '']) => block.split('\n'))
  .map((line) => /\bchasqui ([^;#]*)/.exec(line)?.[1]?.trim().replaceAll('example.com', 'acme.cl') ?? '')
  .filter((line) => line !== '');

let world: DnsServer;
let mx: RemoteMx;
let service: TestService;
let env: Environment;
before(async () => {
  world = await startDnsServer({});
  mx = await startRemoteMx({});
  env = {
    CHASQUI_DNS_SERVERS: world.address,
    CHASQUI_MX_PORT: String(mx.port),
    CHASQUI_MX_ALLOW_PRIVATE: 'true',
    CHASQUI_PLATFORM_DOMAIN: 'mail.acme.cl',
    CHASQUI_BASE_URL: 'https://mail.acme.cl',
    CHASQUI_PUBLIC_ADDRESSES: '5.9.1.7',
  };
  service = await startTestService({ roles: 'api,delivery,dns', env });
  world.set('example.org', 'MX', ['10 mx.example.org']);
  world.set('mx.example.org', 'A', ['127.0.0.1']);
});
after(async () => {
  await service.stop();
  await mx.stop();
  await world.stop();
});

async function chasqui(line: string): Promise<string> {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word);
  let text = '';
  const out = (part: string): void => void (text += part);
  const place = {
    DATABASE_URL: service.database.url,
    CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
  };
  const code = await runCommandLine(words, { env: { ...env, ...place }, out, err: out });
  assert.equal(code, 0, `${line}: ${text}`);
  return text;
}

test('a stranger who follows the guide ends with a mail delivered and explained', async () => {
  const line = (start: string): string => commands.find((each) => each.startsWith(start)) ?? start;
  for (const start of ['instance create', 'user create', 'user operator', 'api-key create'])
    await chasqui(line(start));
  const domain = JSON.parse(await chasqui(`${line('domain create')} --json`)) as Domain;
  assert.match(await chasqui(line('domain validate')), /not verified[^]*No MX record/);
  assert.equal(process.exitCode, 1, 'so that the loop of the guide goes on');
  publishRecords(world, domain);
  assert.match(await chasqui(line('domain validate')), /dkim: .*mail\.acme\.cl/);
  await delegateKeys(world, domain, service.service.addresses.dns ?? '');
  process.exitCode = 0;
  assert.match(await chasqui(line('domain validate')), /^shop\.acme\.cl \(id \d+\): verified/);
  assert.equal(process.exitCode, 0);
  await chasqui(line('sender create'));
  const sent = await chasqui(line('send '));
  await waitFor(() => mx.messages.length === 1, { what: 'the mail' });
  const mail_id = /^mail (\S+) to/m.exec(sent)?.[1] ?? '';
  const isExplained = async (): Promise<boolean> => /Delivered/.test(await chasqui(`explain ${mail_id}`));
  await waitFor(isExplained, { what: () => `an explanation of ${sent}` });
  assert.equal(commands.length, 9, 'every command of the guide was run');
});
