import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser } from '../support/browser.ts';
import { createLogin } from '../support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { assertAccessible, panelFor, settled, signInAs, type FoundBrowser } from './panel.fixture.ts';

let service: TestService;
let tenant: Tenant;
let found: FoundBrowser;
before(async () => {
  found = await launchBrowser();
  service = await startTestService({ roles: 'api,web' });
  tenant = await service.tenant();
  await service.db.query(
    `insert into alerts (instance_id, kind, object_id, object_name, value, threshold, raised_at)
     values ($1, 'bounce_rate', '', '', 0.0734, 0.05, now()), ($1, 'sending_held', '', '', null, null, now())`,
    [tenant.instance.id],
  );
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
});

const here = () => ({ found, base_url: service.base_url });

test('the bell tells what is new, leads to its cause, and remembers what was seen', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  await signInAs(
    page,
    await createLogin(service, tenant, 'viewer'),
    `/panel/i/${tenant.instance.slug}/mails`,
  );
  await page.getByRole('button', { name: 'Alerts: 2 new ones' }).click();
  const list = page.getByRole('list', { name: 'Alerts' });
  await list.getByRole('link', { name: '7.3% of mail bounced within 24 hours' }).waitFor();
  await assertAccessible(page);
  await list.getByRole('link', { name: 'Mail is on hold' }).click();
  await page.waitForURL(/\/queue$/);
  await page.getByRole('button', { name: 'Alerts: 1 new one' }).click();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await page.getByRole('button', { name: 'Alerts', exact: true }).waitFor();
  await page.getByRole('link', { name: 'All alerts and rules' }).click();
  await page.waitForURL(/\/alerts$/);
  await settled(page);
  assert.equal(await page.getByRole('switch').first().isDisabled(), true, 'a viewer changes no rule');
  await assertAccessible(page);
  assert.deepEqual(browserErrors, []);
});

test('an admin changes a rule, on a phone as well', async (t) => {
  const panel = await panelFor(t, here(), { locale: 'es-CL', viewport: { width: 390, height: 844 } });
  if (!panel) return;
  const { page } = panel;
  await signInAs(
    page,
    await createLogin(service, tenant, 'admin'),
    `/panel/i/${tenant.instance.slug}/alerts`,
  );
  await page.getByRole('switch', { name: 'Tasa de denuncias: Correo' }).click();
  const threshold = page.getByRole('textbox', { name: 'Umbral: Tasa de denuncias' });
  await threshold.fill('0,25');
  await threshold.blur();
  await waitFor(async () => {
    const [rule] = await service.db.query<{ by_mail: boolean; threshold: number }>(
      "select by_mail, threshold from alert_rules where instance_id = $1 and kind = 'complaint_rate'",
      [tenant.instance.id],
    );
    return rule?.by_mail === true && rule.threshold === 0.0025;
  });
  await settled(page);
  await assertAccessible(page);
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  assert.ok(width <= 390, `${width}`);
});

test('a member without a second factor is led to the account, and gets in with one', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const other = await service.tenant();
  const login = await createLogin(service, other, 'developer');
  await service.db.query('update instances set requires_second_factor = true where id = $1', [
    other.instance.id,
  ]);
  await signInAs(page, login, `/panel/i/${other.instance.slug}/mails`);
  await page.getByRole('heading', { name: 'Set up a second factor first' }).waitFor();
  await assertAccessible(page);
  await page.getByRole('link', { name: 'Go to your account' }).click();
  await page.getByRole('button', { name: 'Turn on two-factor' }).waitFor();
  await service.db.query(
    "update users set two_factor_secret = 'x', two_factor_enabled_at = now() where id = $1",
    [login.id],
  );
  await page.goto(`/panel/i/${other.instance.slug}/settings`);
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
});
