import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTransport } from 'nodemailer';
import { addVerifiedDomain, senderDomain } from '../../src/deliver/delivery-bed.fixture.ts';
import { launchBrowser } from '../support/browser.ts';
import { startDnsServer, type DnsServer } from '../support/dns-server.ts';
import { createLogin } from '../support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink.ts';
import { assertAccessible, panelFor, settled, signInAs, type FoundBrowser } from './panel.fixture.ts';

let dns: DnsServer;
let service: TestService;
let tenant: Tenant;
let sink: WebhookSink;
let found: FoundBrowser;
before(async () => {
  found = await launchBrowser();
  dns = await startDnsServer({});
  sink = await startWebhookSink({});
  service = await startTestService({
    roles: 'api,web,delivery,webhooks,inbound,jobs',
    env: { CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true', CHASQUI_DNS_SERVERS: dns.address },
  });
  tenant = await service.tenant();
  await addVerifiedDomain(service, tenant);
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
  await sink.stop();
  await dns.stop();
});

const ana = 'delivered+ana@sandbox.test';

async function sendTied(): Promise<{ mail_id: string; reply_to: string }> {
  const { api } = tenant;
  const sent = await api.post('/v1/mails/send', {
    sender_email: `hi@${senderDomain}`,
    to: [{ email: ana }],
    subject: 'Your order 77',
    html: '<p>It leaves today.</p>',
    reply_token: true,
  });
  assert.equal(sent.status, 200, sent.text);
  const captured = async () =>
    await service.db.query<{ mail_id: string; raw: Buffer }>(
      'select s.mail_id, s.raw from sandbox_messages s join mails m using (mail_id) where m.recipient = $1',
      [ana],
    );
  await waitFor(async () => (await captured()).length === 1, { what: 'the captured mail' });
  const [{ mail_id, raw } = { mail_id: '', raw: Buffer.alloc(0) }] = await captured();
  const [, reply_to = ''] = /^Reply-To: <([^>]+)>\r$/m.exec(raw.toString()) ?? [];
  return { mail_id, reply_to };
}

async function answer(to: string): Promise<void> {
  const port = Number(service.service.addresses.inbound?.split(':').at(-1));
  const transport = createTransport({ host: '127.0.0.1', port, tls: { rejectUnauthorized: false } });
  const text =
    'Baja, por favor.\n\nOn Mon, Nov 3, 2025 at 10:15 AM Shop <hi@shop.example> wrote:\n\n> It leaves today.\n';
  await transport.sendMail({ from: `Ana <${ana}>`, to, subject: 'Re: Your order 77', text });
  transport.close();
}

test('an answer reaches the timeline of its mail, a webhook and the inbox, where its withdrawal is recorded', async (t) => {
  const panel = await panelFor(t, { found, base_url: service.base_url });
  if (!panel) return;
  const { page } = panel;
  await tenant.api.post('/v1/webhooks', { name: 'In', url: `${sink.url}/in`, events: ['mail.received'] });
  const { mail_id, reply_to } = await sendTied();
  await answer(reply_to);
  const [request] = await sink.waitForRequests(1, 60_000);
  const { type, data } = JSON.parse(request?.body.toString() ?? '{}');
  assert.equal(type, 'mail.received');
  assert.equal(data.text_reply, 'Baja, por favor.');

  const { slug } = tenant.instance;
  await signInAs(page, await createLogin(service, tenant, 'developer'), `/panel/i/${slug}/mails/${mail_id}`);
  await page.getByRole('link', { name: 'Read the answer' }).click();
  await page.getByRole('heading', { name: 'Re: Your order 77' }).waitFor();
  await page.getByText('seems to ask for no more mail').waitFor();
  await page.getByRole('tab', { name: 'Answer' }).click();
  await page.getByText('Baja, por favor.', { exact: true }).waitFor();
  await settled(page);
  await assertAccessible(page);
  await page.getByRole('button', { name: `Record withdrawal: ${ana}` }).click();
  await page.getByText('The withdrawal is recorded.').waitFor();
  await page.getByRole('link', { name: 'See the mail that it answers' }).click();
  await page.getByText('Unsubscribed').first().waitFor();
  const { json } = await tenant.api.get(`/v1/mail-unsubscribes/${mail_id}`);
  assert.equal(json.method, 'reply');
  assert.deepEqual(panel.browserErrors, []);
});
