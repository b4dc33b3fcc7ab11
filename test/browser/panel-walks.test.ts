import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Domain } from '../../src/domains/domain-schemas.ts';
import { launchBrowser } from '../support/browser.ts';
import { startDnsServer, type DnsServer } from '../support/dns-server.ts';
import { createLogin, signIn } from '../support/panel-user.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { assertAccessible, panelFor, signInAs, type FoundBrowser } from './panel.fixture.ts';

let dns: DnsServer;
let service: TestService;
let found: FoundBrowser;
before(async () => {
  found = await launchBrowser();
  dns = await startDnsServer({});
  service = await startTestService({
    roles: 'api,web,delivery',
    env: { CHASQUI_DNS_SERVERS: dns.address },
  });
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
  await dns.stop();
});

const here = () => ({ found, base_url: service.base_url });

test('from the first sign-in to the first mail in its timeline', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  const tenant = await service.tenant();
  await signInAs(page, await createLogin(service, tenant, 'owner'));
  await page.getByRole('button', { name: 'Send a sandbox mail' }).click();
  await page.getByText('is on its way').waitFor();
  await page.getByRole('link', { name: 'Mails' }).click();
  await page.getByRole('link', { name: 'delivered@sandbox.test' }).click();
  await page.getByRole('heading', { name: 'Hello from the panel' }).waitFor();
  // The page follows the mail by itself.
  await page.getByRole('list', { name: 'Timeline' }).getByText('Delivered').waitFor();
  await page.getByText('250 2.0.0 captured in the sandbox', { exact: true }).waitFor();
  await page.frameLocator('iframe').frameLocator('iframe').getByRole('heading', { name: 'Hello' }).waitFor();
  // The frame is as high as the short message in it.
  await waitFor(async () => ((await page.locator('iframe').boundingBox())?.height ?? 0) < 240, {
    what: 'a frame that fits',
    timeout_ms: 20_000,
  });
  await page.getByRole('tab', { name: 'Source' }).click();
  await page.getByText('MIME-Version: 1.0').waitFor();
  await page.getByText('unsubscribe, report and view do not work').waitFor();
  assert.match(page.url(), /tab=source/);
  assert.deepEqual(browserErrors, []);
});

test('live, new mails come into the list by themselves', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const tenant = await service.tenant();
  const send = async (email: string) =>
    await tenant.api.post('/v1/mails/send', {
      sender_email: `test@${tenant.instance.slug}.sandbox.test`,
      to: [{ email }],
      subject: 'Live',
      html: '<p>Hello</p>',
    });
  await send('delivered+first@sandbox.test');
  const login = await createLogin(service, tenant, 'viewer');
  await signInAs(page, login, `/panel/i/${tenant.instance.slug}/mails?live=on`);
  await page.getByRole('link', { name: 'delivered+first@' }).waitFor();
  await send('delivered+second@sandbox.test');
  await page.getByRole('link', { name: 'delivered+second@' }).waitFor();
});

test('an invitation is accepted by its link, once', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  const tenant = await service.tenant();
  const admin = await signIn(service, tenant, 'admin');
  const invited = await admin.post('/v1/private/team/invitations', {
    email: 'eva@sandbox.test',
    role: 'developer',
  });
  assert.equal(invited.status, 201, invited.text);
  const link = await waitFor(
    async () => {
      const rows = await service.db.query<{ raw: Buffer }>(
        "select raw from sandbox_messages where recipient = 'eva@sandbox.test'",
      );
      const text = rows[0]?.raw.toString().replaceAll(/=\r\n/g, '');
      return /\/panel\/accept-invitation#[\w-]+/.exec(text ?? '')?.[0];
    },
    { what: 'the invitation', timeout_ms: 45_000 },
  );
  await page.goto(link);
  await page.getByRole('textbox', { name: 'Your name' }).fill('Eva');
  const password = page.getByLabel('Choose a password');
  await password.fill('short');
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByText('at least 12 characters', { exact: false }).nth(1).waitFor();
  await password.fill('a password of several words');
  await page.getByRole('button', { name: 'Accept' }).click();
  await page
    .getByRole('button', { name: tenant.instance.name })
    .or(page.getByRole('link', { name: tenant.instance.name }))
    .click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  assert.deepEqual(
    browserErrors.filter((line) => !line.includes('422')),
    [],
  );
  const again = await page.context().newPage();
  await again.goto(link);
  await again.getByRole('heading', { name: 'This invitation has expired' }).waitFor();
});

test('a refusal of the service is shown at its input', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const tenant = await service.tenant();
  const login = await createLogin(service, tenant, 'developer');
  await signInAs(page, login, `/panel/i/${tenant.instance.slug}/domains`);
  await page.getByRole('button', { name: 'Add domain' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add domain' });
  const input = dialog.getByRole('textbox', { name: 'Domain' });
  await input.fill('not a domain');
  await dialog.getByRole('button', { name: 'Add domain' }).click();
  await waitFor(async () => (await input.getAttribute('aria-invalid')) === 'true', {
    what: 'the mistake at its input',
  });
  await input.fill('mail.example.com');
  await dialog.getByRole('button', { name: 'Add domain' }).click();
  await page.getByRole('heading', { name: 'mail.example.com' }).waitFor();
  await page.getByText('s1._domainkey.mail', { exact: true }).waitFor();
  await page.getByRole('switch', { name: 'Full names' }).click();
  await page.getByText('s1._domainkey.mail.example.com', { exact: true }).waitFor();
});

test('a domain in use is stopped, a free one is added, and its records appear by themselves', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const tenant = await service.tenant();
  const login = await createLogin(service, tenant, 'developer');
  dns.set('empresa.example', 'MX', ['1 aspmx.l.google.com']);
  dns.set('empresa.example', 'NS', ['ns12.domaincontrol.com', 'ns13.domaincontrol.com']);
  await page.clock.install();
  await signInAs(page, login, `/panel/i/${tenant.instance.slug}/domains`);
  await page.getByRole('button', { name: 'Add domain' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add domain' });
  await dialog.getByRole('textbox', { name: 'Domain' }).fill('empresa.example');
  await dialog.getByRole('button', { name: 'Add domain' }).click();
  await dialog.getByText('empresa.example receives mail elsewhere').waitFor();
  await dialog.getByText('aspmx.l.google.com').waitFor();
  await dialog.getByRole('button', { name: 'Use mail.empresa.example' }).click();
  await dialog.getByRole('button', { name: 'Add domain' }).click();
  await page.getByRole('heading', { name: 'mail.empresa.example' }).waitFor();
  await page.getByRole('heading', { name: 'Add the records at GoDaddy' }).waitFor();
  const { json } = await tenant.api.get('/v1/domains?domain=empresa');
  const [{ dns_records: records }] = json.data as [Domain];
  for (const { host, type, value } of [records.mx, records.spf, ...records.dkim, records.dmarc]) {
    dns.set(host, type as 'TXT', [type === 'MX' ? `10 ${value}` : value]);
  }
  await page.clock.runFor(31_000);
  await page.getByText('All records are in place').waitFor();
  assert.equal((await tenant.api.get('/v1/domains?domain=empresa')).json.data[0].is_verified, false);
  await page.getByRole('button', { name: 'Validate' }).click();
  await page.getByText('Verified', { exact: true }).first().waitFor();
  await assertAccessible(page);
});
