import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setOperator } from '../../src/accounts/users.ts';
import { launchBrowser } from '../support/browser.ts';
import { createLogin, type Login } from '../support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { panelFor, signInAs, type FoundBrowser } from './panel.fixture.ts';

let service: TestService;
let tenant: Tenant;
let operator: Login;
let found: FoundBrowser;
before(async () => {
  found = await launchBrowser();
  service = await startTestService({ roles: 'api,web,jobs' });
  tenant = await service.tenant();
  operator = await createLogin(service, tenant, 'viewer');
  await setOperator(service.db, operator.email, { is_operator: true, actor: { kind: 'operator' } });
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
});

const here = () => ({ found, base_url: service.base_url });

test('an operator makes an instance, opens it, and disables another', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  await signInAs(page, operator);
  await page.locator('[data-user-menu]').click();
  await page.getByRole('menuitem', { name: 'Installation' }).click();
  await page.getByRole('button', { name: 'Create instance' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Slug' }).fill('made-by-hand');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Made by hand');
  await dialog.getByRole('button', { name: 'Create instance' }).click();
  await page.getByRole('cell', { name: 'made-by-hand', exact: true }).waitFor();
  await page.goto('/panel/i/made-by-hand/team');
  await page.getByRole('cell', { name: operator.email }).waitFor();

  const { slug } = tenant.instance;
  assert.equal((await tenant.api.get('/v1/fields')).status, 200);
  await page.goto(`/panel/operator?search=${slug}`);
  await page.getByRole('button', { name: `Change ${slug}` }).click();
  await dialog.getByRole('switch', { name: 'Enabled' }).click();
  await dialog.getByRole('textbox', { name: 'Recipients a month' }).fill('1000');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: slug }).getByText('Disabled').waitFor();
  await page.getByRole('row', { name: slug }).getByText('1,000').waitFor();
  assert.notEqual((await tenant.api.get('/v1/fields')).status, 200);
  assert.deepEqual(browserErrors, []);
});

test('a dialog saves what was changed in it, and keeps what was changed elsewhere meanwhile', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const { slug, id } = (await service.tenant()).instance;
  await signInAs(page, operator, `/panel/operator?search=${slug}`);
  await page.getByRole('button', { name: `Change ${slug}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Recipients a month' }).fill('1000');
  await service.db.query('update instances set is_enabled = false, retention_months = 2 where id = $1', [id]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: slug }).getByText('1,000').waitFor();
  const [row] = await service.db.query(
    'select is_enabled, retention_months, plan_send_limit from instances where id = $1',
    [id],
  );
  assert.deepEqual(row, { is_enabled: false, retention_months: 2, plan_send_limit: 1000 });
});

test('nodes are seen alive, jobs run and checks find', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  await signInAs(page, operator, '/panel/operator?show=nodes');
  await page.getByRole('row', { name: /jobs/ }).getByText('Alive').waitFor();
  await page.getByRole('tab', { name: 'Jobs' }).click();
  await page
    .getByRole('row', { name: /rights_returns/ })
    .getByText('1 min', { exact: true })
    .waitFor();
  await page
    .getByRole('button', { name: /^Run now: / })
    .first()
    .click();
  await page.getByText('It is due').first().waitFor();
  await page.getByRole('tab', { name: 'Health' }).click();
  await page.getByRole('button', { name: 'Run now: Database' }).click();
  await page
    .getByRole('row', { name: /^Database/ })
    .getByText('Fine')
    .waitFor();
  assert.equal(new URL(page.url()).searchParams.get('show'), 'checks');
  // On a phone the tabs are one row that scrolls, with the open one in sight.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await page.getByRole('tab', { name: 'Health', selected: true }).waitFor();
  const tops = await page
    .getByRole('tab')
    .evaluateAll((tabs: unknown[]) => tabs.map((tab) => (tab as { offsetTop: number }).offsetTop));
  assert.equal(new Set(tops).size, 1, tops.join(' '));
  const right = `document.querySelector('[role=tab][aria-selected=true]').getBoundingClientRect().right`;
  assert.ok((await page.evaluate<number>(right)) <= 390);
  assert.deepEqual(browserErrors, []);
});

test('an operator takes down the links to a host and restores them', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  await signInAs(page, operator, '/panel/operator?show=links');
  await page.getByRole('button', { name: 'Take down links' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Host' }).fill('https://phish.example/');
  await dialog.getByRole('button', { name: 'Take down links' }).click();
  await dialog.getByText('This is not the name or address of a host').waitFor();
  await dialog.getByRole('textbox', { name: 'Host' }).fill('Phish.example');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Asks for passwords');
  await dialog.getByRole('button', { name: 'Take down links' }).click();
  const row = page.getByRole('row', { name: 'phish.example' });
  await row.getByText('Asks for passwords').waitFor();
  await row.getByRole('button', { name: 'Restore links to phish.example' }).click();
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('No host is taken down').waitFor();
  assert.deepEqual(await service.db.query('select host from link_takedowns'), []);
  // The refusal of the address.
  assert.deepEqual(
    browserErrors,
    browserErrors.filter((line) => line.includes('422')),
  );
});

test('a user who is not an operator has no link to the pages and reads nothing there', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  await signInAs(page, await createLogin(service, await service.tenant(), 'owner'));
  await page.locator('[data-user-menu]').click();
  await page.getByRole('menuitem', { name: 'Account' }).waitFor();
  assert.equal(await page.getByRole('menuitem', { name: 'Installation' }).count(), 0);
  await page.goto('/panel/operator');
  await page.getByRole('heading', { name: 'This is for operators' }).waitFor();
  assert.deepEqual(browserErrors, []);
});
