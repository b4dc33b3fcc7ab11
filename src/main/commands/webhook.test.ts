import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { Tenant } from '../../../test/support/test-service.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import {
  acceptMail,
  addEvents,
  eventTimeoutMs,
  startWebhookBed,
  type WebhookBed,
} from '../../webhooks/webhook-bed.fixture.ts';
import { findCommand } from '../command.ts';
import { loadCommands } from '../commands.ts';

let bed: WebhookBed;
let tenant: Tenant;
let folder: string;
before(async () => {
  bed = await startWebhookBed({ roles: 'api,webhooks' });
  tenant = await bed.service.tenant();
  folder = await mkdtemp(path.join(tmpdir(), 'chq-webhook-'));
});
after(async () => {
  await bed.stop();
  await rm(folder, { recursive: true, force: true });
});

async function run(
  line: string,
  options: Record<string, string | boolean> = {},
  // oxlint-disable-next-line typescript/no-explicit-any
): Promise<{ text: string; json: any }> {
  const found = findCommand(await loadCommands(['webhook']), line.split(' '));
  assert.ok(found, line);
  const result = await found.command.run({
    words: found.rest,
    options: { instance: tenant.instance.slug, ...options },
    env: {
      DATABASE_URL: bed.service.database.url,
      CHASQUI_DATA_DIR: folder,
      CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
      CHASQUI_DNS_SERVERS: bed.dns.address,
      CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true',
    },
  });
  assert.ok(result);
  return result;
}

test('a webhook is created, tested, looked at, replayed and deleted by command', async (t) => {
  const sink = await bed.sink(t);
  const created = await run('webhook create', {
    name: 'Orders',
    url: sink.url,
    events: 'mail.opened,mail.clicked',
  });
  const { id, secret, events } = created.json;
  assert.deepEqual(events, ['mail.opened', 'mail.clicked']);
  assert.ok(created.text.includes(secret));

  const tested = await run(`webhook test ${id}`);
  assert.equal(tested.json.delivered, true);
  assert.match(tested.text, /answered 200 after \d+ ms/);
  const [request] = sink.requests;
  new Webhook(secret).verify(request?.body ?? '', request?.headers as Record<string, string>);

  const listed = await run('webhook list');
  assert.match(
    listed.text,
    new RegExp(`^ID .*\n${id} +Orders +active +0 +mail.opened,mail.clicked +${sink.url}$`),
  );
  assert.ok(!JSON.stringify(listed).includes('whsec_'));

  const msgId = await acceptMail(tenant);
  await addEvents(bed.service.db, msgId, [{ event: 'opened' }, { event: 'clicked' }]);
  await sink.waitForRequests(3);
  const deliveries = await waitFor(
    async () => {
      const { json } = await run(`webhook deliveries ${id}`, { state: 'delivered' });
      return json.data.length === 2 && json.data;
    },
    { timeout_ms: eventTimeoutMs, what: 'both deliveries' },
  );
  assert.equal((await run(`webhook deliveries ${id}`, { type: 'mail.clicked' })).json.data.length, 1);
  assert.match((await run(`webhook deliveries ${id}`)).text, /mail\.opened +delivered +1 +200/);

  assert.deepEqual((await run(`webhook replay ${id}`, { delivery: String(deliveries[0].id) })).json, {
    replayed: 1,
  });
  await sink.waitForRequests(4);
  await waitFor(
    async () => (await run(`webhook deliveries ${id}`, { state: 'delivered' })).json.data.length === 2,
    {
      timeout_ms: eventTimeoutMs,
      what: 'the replay',
    },
  );
  const range = { from: '2026-01-01T00:00:00Z', types: 'mail.opened,mail.clicked' };
  assert.equal((await run(`webhook replay ${id}`, range)).text, '2 deliveries are due now.');
  await sink.waitForRequests(6);

  await run(`webhook delete ${id}`);
  assert.equal((await run('webhook list')).text, 'There are no webhooks.');
});

test('mistakes are told', async () => {
  const name = 'x';
  await assert.rejects(run('webhook create', { name, url: 'nonsense' }), /invalid values/);
  await assert.rejects(
    run('webhook create', { name, url: 'http://localhost/', events: 'mail.lost' }),
    /invalid values/,
  );
  await assert.rejects(run('webhook delete 999999'), /no such webhook/);
  await assert.rejects(run('webhook test 999999'), /no such webhook/);
  await assert.rejects(run('webhook deliveries 999999'), /no such webhook/);
  await assert.rejects(run('webhook deliveries 1', { state: 'lost' }), /--state is one of/);
  await assert.rejects(run('webhook replay 999999', { from: '2026-01-01T00:00:00Z' }), /no such webhook/);
  await assert.rejects(run('webhook replay 1', {}), /--from is required/);
  await assert.rejects(run('webhook replay 1', { from: 'yesterday' }), /invalid values/);
});
