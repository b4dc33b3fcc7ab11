import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWebhookSink, type WebhookSink } from '../../test/support/webhook-sink.ts';
import type { Tenant } from '../../test/support/test-service.ts';
import { createEndpoint, startWebhookBed, type WebhookBed } from './webhook-bed.fixture.ts';

let bed: WebhookBed;
let tenant: Tenant;
let sink: WebhookSink;
before(async () => {
  sink = await startWebhookSink({ tls: true });
  bed = await startWebhookBed({ env: { CHASQUI_WEBHOOK_ALLOW_INSECURE: 'false' } });
  tenant = await bed.service.tenant();
  bed.dns.set('public.example.test', 'A', ['93.184.216.34']);
  bed.dns.set('public.example.test', 'AAAA', ['2606:2800:220:1::1']);
  bed.dns.set('inside.example.test', 'A', ['10.1.2.3']);
  bed.dns.set('mixed.example.test', 'A', ['93.184.216.34', '127.0.0.1']);
  bed.dns.set('mapped.example.test', 'AAAA', ['::ffff:169.254.169.254']);
  bed.dns.set('alias.example.test', 'CNAME', ['inside.example.test']);
  bed.dns.fail('broken.example.test', '*', 'SERVFAIL');
});
after(async () => {
  await bed.stop();
  await sink.stop();
});

const create = async (url: string) => await tenant.api.post('/v1/webhooks', { name: 'Endpoint', url });
const codeOf = ({ json }: Awaited<ReturnType<typeof create>>): string => json.errors?.[0]?.code;

test('an https URL at public addresses is taken, on any port', async () => {
  for (const url of [
    'https://public.example.test/hook?x=1',
    'https://public.example.test:8443/',
    'https://93.184.216.34/hook',
    'https://[2606:2800:220:1::1]/hook',
  ]) {
    const { status, json } = await create(url);
    assert.deepEqual([status, json.url], [201, url]);
  }
});

test('an address that is not https is insecure', async () => {
  for (const url of [
    'http://public.example.test/',
    'ftp://public.example.test/',
    'file:///etc/passwd',
    'javascript:1',
  ]) {
    const answer = await create(url);
    assert.deepEqual([answer.status, codeOf(answer)], [422, 'webhook_url_insecure'], url);
  }
});

const forbidden = {
  'this machine': [
    'https://127.0.0.1/',
    'https://localhost/',
    'https://a.localhost./',
    'https://[::1]/',
    'https://0.0.0.0/',
  ],
  'private networks': [
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.0.1/',
    'https://[fd00::1]/',
  ],
  'link-local addresses and metadata services': [
    'https://169.254.169.254/latest/meta-data',
    'https://[fe80::1]/',
  ],
  'IPv4 inside IPv6': [
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a00:1]/',
    'https://[64:ff9b::7f00:1]/',
  ],
  'addresses in other spellings': [
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://0x7f.1/',
  ],
  'names that resolve inside': [
    'https://inside.example.test/',
    'https://INSIDE.example.test./',
    'https://mixed.example.test/',
    'https://mapped.example.test/',
    'https://alias.example.test/',
  ],
  'names that do not resolve': ['https://nowhere.example.test/', 'https://broken.example.test/'],
  'URLs with credentials': ['https://user:secret@public.example.test/', 'https://user@public.example.test/'],
  'what is no URL': ['nonsense', 'https://', 'https:// /', '//public.example.test/'],
};
for (const [what, urls] of Object.entries(forbidden)) {
  test(`${what} are not allowed`, async () => {
    for (const url of urls) {
      const answer = await create(url);
      assert.deepEqual([answer.status, codeOf(answer)], [422, 'webhook_url_not_allowed'], url);
      assert.equal(answer.json.errors[0].pointer, '/url');
    }
  });
}

test('a changed URL has to meet the same requirements', async () => {
  const { id } = await createEndpoint(tenant, 'https://public.example.test/');
  const insecure = await tenant.api.patch(`/v1/webhooks/${id}`, { url: 'http://public.example.test/' });
  assert.deepEqual([insecure.status, codeOf(insecure)], [422, 'webhook_url_insecure']);
  const inside = await tenant.api.patch(`/v1/webhooks/${id}`, {
    url: 'https://inside.example.test/',
    name: 'x',
  });
  assert.deepEqual([inside.status, codeOf(inside)], [422, 'webhook_url_not_allowed']);
  assert.equal((await tenant.api.get(`/v1/webhooks/${id}`)).json.name, 'Endpoint');
});

test('a name that resolves to a private address after it was checked is not connected to', async () => {
  bed.dns.set('rebind.example.test', 'A', ['93.184.216.34']);
  const { id } = await createEndpoint(tenant, `https://rebind.example.test:${sink.port}/`);
  for (const address of ['127.0.0.1', '169.254.169.254']) {
    bed.dns.set('rebind.example.test', 'A', [address]);
    const { json } = await tenant.api.post(`/v1/webhooks/${id}/test`);
    assert.deepEqual([json.delivered, json.status_code, json.error], [false, null, 'address_not_allowed']);
  }
  assert.equal(sink.connections, 0);
});

test('a private IP literal in the table is not connected to', async () => {
  const { id } = await createEndpoint(tenant, 'https://public.example.test/');
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost', '2130706433']) {
    await bed.service.db.query('update webhooks set url = $2 where id = $1', [
      id,
      `https://${host}:${sink.port}/`,
    ]);
    const { json } = await tenant.api.post(`/v1/webhooks/${id}/test`);
    assert.deepEqual([json.delivered, json.error], [false, 'address_not_allowed'], host);
  }
  assert.equal(sink.connections, 0);
});
