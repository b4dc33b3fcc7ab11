import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { tamper } from '../../src/consent/chain/tamper.fixture.ts';
import { launchBrowser } from '../support/browser.ts';
import { createLogin, signIn, type PanelUser } from '../support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createConsentDemo, createSubscriptionForm, type ConsentDemo } from './consent-demo.fixture.ts';
import {
  assertAccessible,
  openPalette,
  panelFor,
  settled,
  signInAs,
  type FoundBrowser,
} from './panel.fixture.ts';

let service: TestService;
let found: FoundBrowser;
before(async () => {
  found = await launchBrowser();
  service = await startTestService({ roles: 'api,web,delivery' });
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
});

const here = () => ({ found, base_url: service.base_url });
const pathOf = ({ instance }: Tenant, path: string): string => `/panel/i/${instance.slug}${path}`;

interface Prepared {
  tenant: Tenant;
  user: PanelUser;
  consent: ConsentDemo;
}

async function prepare(): Promise<Prepared> {
  const tenant = await service.tenant();
  const user = await signIn(service, tenant, 'admin');
  return { tenant, user, consent: await createConsentDemo({ service, tenant, user }) };
}

test('a term goes from draft to current, a person agrees by form and mail, withdraws by one click, and the next mail is dropped', async (t) => {
  const panel = await panelFor(t, here());
  const window = await panelFor(t, here());
  if (!panel || !window) return;
  const { page, browserErrors } = panel;
  const tenant = await service.tenant();
  const user = await signIn(service, tenant, 'admin');
  await signInAs(page, await createLogin(service, tenant, 'admin'), pathOf(tenant, '/consent'));

  const term_id = await writeTerm(page);
  await createSender({ tenant, user }, { name: 'news', stream: 'broadcast' });
  await createSender({ tenant, user }, { name: 'notes', stream: 'transactional' });
  const url = await createSubscriptionForm(service, { tenant, user, term_id });

  // In a second window, as a visitor.
  const visitor = window.page;
  const person = 'ana@sandbox.test';
  await visitor.goto(url);
  await visitor.getByText('I agree to receive the newsletter').waitFor();
  await visitor.getByLabel('Email').fill(person);
  await visitor.getByRole('checkbox', { name: /Newsletter/ }).check();
  await visitor.getByRole('button', { name: 'Send' }).click();
  await visitor.getByRole('heading', { name: 'One step left' }).waitFor();

  await page.goto(pathOf(tenant, '/consent?list=events'));
  await page.getByRole('row', { name: /ana@sandbox.test.*Unconfirmed/ }).waitFor();
  const asked = await captured(user, { recipient: person, count: 1 });
  const [link = ''] = /http\S+\/confirm\/[\w.-]+/.exec(asked.text) ?? [];
  await visitor.goto(link);
  await visitor.getByRole('button', { name: 'Yes, confirm' }).click();
  await visitor.getByRole('heading', { name: 'Confirmed' }).waitFor();

  // The evidence, read and verified.
  await page.getByRole('textbox', { name: 'Evidence of a person' }).fill('ANA@sandbox.test');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'ANA@sandbox.test' }).waitFor();
  const history = page.getByRole('list', { name: 'History' });
  await history.getByText('Agreed').waitFor();
  await history.getByText('Form · Double opt-in').waitFor();
  await history.getByText('Newsletter, version 1.0').waitFor();
  await page.getByText('Allowed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Verify' }).click();
  await page
    .getByText(/^Calculated again in this browser: every hash of this page \(rows: 2, texts: 1\)/)
    .waitFor();

  // Withdrawn as mailbox providers do it (RFC 8058).
  await send(tenant, { from: 'news', to: person });
  const news = await captured(user, { recipient: person, count: 2 });
  const [, unsubscribe = ''] = /<(http[^>]+)>/.exec(headerOf(news, 'list-unsubscribe')) ?? [];
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  assert.equal((await fetch(unsubscribe, { method: 'POST', body })).status, 200);
  await page.reload();
  await history.getByText('Withdrew').waitFor();
  await history.getByText('Link in a mail').waitFor();
  await page.getByText('Refused', { exact: true }).waitFor();

  const broadcast = await send(tenant, { from: 'news', to: person });
  await page.goto(pathOf(tenant, `/mails/${broadcast}`));
  await page.getByRole('heading', { name: /recipient unsubscribed/ }).waitFor();
  const note = await send(tenant, { from: 'notes', to: person });
  await page.goto(pathOf(tenant, `/mails/${note}`));
  await page.getByRole('heading', { name: /withdrew consent/ }).waitFor();
  await page.getByRole('link', { name: 'See what this person agreed to' }).click();
  await page.getByRole('heading', { level: 1, name: person }).waitFor();
  await history.getByText('Withdrew').waitFor();
  // The browser tells its console of the one term that was refused.
  assert.deepEqual(
    browserErrors.filter((line) => !line.includes('409')),
    [],
  );
});

/** Its first version is written, published and marked current. */
async function writeTerm(page: Page): Promise<number> {
  const dialog = (name: string) => page.getByRole('dialog', { name });
  await page.getByRole('button', { name: 'New term' }).click();
  const form = dialog('New term');
  await form.getByRole('textbox', { name: 'Name' }).fill('Newsletter');
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByRole('alert').waitFor();
  await form.getByRole('checkbox', { name: 'Newsletter' }).check();
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'No text yet' }).waitFor();
  await page.getByRole('button', { name: 'New version' }).click();
  const version = dialog('New version');
  await version.getByLabel('Text').fill('I agree to receive the newsletter.\nI can withdraw at any time.');
  await version.getByRole('button', { name: 'Save as draft' }).click();
  await page.getByRole('row', { name: '1.0 Draft' }).waitFor();
  await page.getByRole('button', { name: 'Publish' }).click();
  await dialog('Publish version 1.0').getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('button', { name: 'Mark current' }).click();
  await dialog('Mark version 1.0 current').getByRole('button', { name: 'Mark current' }).click();
  await page.getByRole('row', { name: '1.0 Current' }).waitFor();
  return Number(/terms\/(\d+)/.exec(page.url())?.[1]);
}

interface Captured {
  text: string;
  headers: { name: string; value: string }[];
}

async function captured(
  user: PanelUser,
  { recipient, count }: { recipient: string; count: number },
): Promise<Captured> {
  const path = '/v1/private/sandbox-messages';
  const mail_id = await waitFor(
    async () => {
      const { data } = (await user.get(`${path}?recipient=${recipient}`)).json;
      return data.length === count && data[0].mail_id;
    },
    { what: `mail ${count} to ${recipient}`, timeout_ms: 20_000 },
  );
  return (await user.get(`${path}/${mail_id}`)).json;
}

const headerOf = ({ headers }: Captured, wanted: string): string =>
  headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? '';

/** Writes only to those who agreed to the newsletter. */
async function createSender(
  { tenant, user }: Pick<Prepared, 'tenant' | 'user'>,
  { name, stream }: { name: string; stream: string },
): Promise<void> {
  const { data } = (await user.get('/v1/private/consent-purposes')).json;
  const purpose = data.find(({ code }: { code: string }) => code === 'newsletter');
  const { status, text } = await user.post('/v1/private/senders', {
    name,
    email_address: `${name}@${tenant.instance.slug}.sandbox.test`,
    stream,
    requires_consent: true,
    consent_purpose_id: purpose.id,
  });
  assert.equal(status, 201, text);
}

async function send({ api, instance }: Tenant, { from, to }: { from: string; to: string }): Promise<string> {
  const { json } = await api.post('/v1/mails/send', {
    sender_email: `${from}@${instance.slug}.sandbox.test`,
    to: [{ email: to }],
    subject: 'News',
    html: '<p>News</p>',
  });
  const { data } = (await api.get(`/v1/mails?msg_id=${json.message_id}`)).json;
  return data[0].mail_id;
}

test('a withdrawal is recorded by hand with a reason, and the audit log has it', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const { tenant } = await prepare();
  await signInAs(page, await createLogin(service, tenant, 'admin'), pathOf(tenant, '/consent'));
  await page.getByRole('button', { name: 'Record by hand' }).click();
  const form = page.getByRole('dialog', { name: 'Record by hand' });
  await form.getByText('Withdrawal', { exact: true }).click();
  await form.getByText('My address is used for this newsletter alone').waitFor();
  await form.getByRole('textbox', { name: 'Contact' }).fill('luis.soto@example.com');
  await form.getByLabel('How you know').fill('Eh');
  await form.getByRole('button', { name: 'Record' }).click();
  await form.locator('[aria-invalid=true]').waitFor();
  await settled(page);
  await assertAccessible(page);
  await form.getByLabel('How you know').fill('Asked at the counter');
  await form.getByRole('checkbox', { name: 'Newsletter' }).uncheck();
  await form.getByRole('button', { name: 'Record' }).click();
  await form.locator('.mantine-InputWrapper-error').waitFor();
  await form.getByRole('checkbox', { name: 'Newsletter' }).check();
  await form.getByRole('button', { name: 'Record' }).click();
  await page.getByRole('heading', { level: 1, name: 'luis.soto@example.com' }).waitFor();
  await page.getByText('Asked at the counter').waitFor();
  await page.goto(pathOf(tenant, '/audit'));
  await page
    .getByRole('row', { name: /Consent · recorded/ })
    .first()
    .waitFor();
});

test('a term is deactivated once its reader knows what depends on it', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const { tenant, consent } = await prepare();
  const at = pathOf(tenant, `/consent/terms/${consent.term_id}`);
  await signInAs(page, await createLogin(service, tenant, 'admin'), at);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Deactivate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deactivate' });
  await dialog.getByText('1 form asks for it. Forms that require it and close: 1.').waitFor();
  await dialog.getByText('10 recorded events stay valid.').waitFor();
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByText('This term is inactive').waitFor();
  await page.getByRole('button', { name: 'Activate', exact: true }).click();
  await page.getByText('This term is inactive').waitFor({ state: 'detached' });
});

test('every page reports tampered evidence, and the browser checks it too', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const { tenant, user, consent } = await prepare();
  const { sequence, hash } = (await user.get('/v1/private/consent-chain/status')).json;
  await signInAs(page, await createLogin(service, tenant, 'admin'), pathOf(tenant, '/consent?list=chain'));
  await page.getByLabel('Compare with a noted entry').fill(`${sequence}:${hash}`);
  await page.getByRole('button', { name: 'Verify all' }).click();
  await page.getByText(`${sequence} rows are intact. The noted entry is unchanged.`).waitFor();
  await page.getByLabel('Compare with a noted entry').fill(`${sequence}:${'0'.repeat(64)}`);
  await page.getByRole('button', { name: 'Verify all' }).click();
  await page.getByText(`Broken at entry ${sequence}: a row was altered.`).waitFor();

  const evidence = pathOf(tenant, `/consent/evidence?contact=${consent.person}`);
  // The hashes reveal a service that lies about what it checked.
  await page.route('**/consent-evidence?*', async (route) => {
    const document = await (await route.fetch()).json();
    document.events[0].rules[0].action = 'deny';
    await route.fulfill({ json: document });
  });
  await page.goto(evidence);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText(/What you read here does not match its hashes. Events: \d+\./).waitFor();
  await page.unroute('**/consent-evidence?*');

  await tamper(
    service.db,
    async (tx) =>
      await tx.query(`update consent_rules set action = 'deny' where instance_id = $1 and contact = $2`, [
        tenant.instance.id,
        consent.person,
      ]),
  );
  await page.goto(evidence);
  await page.getByText('Altered', { exact: true }).first().waitFor();
  await page.getByText('Broken at entry 1: a row was altered.').waitFor();
  await page.goto(pathOf(tenant, '/consent'));
  await page.getByText('Evidence tampered with').waitFor();
});

test('the evidence prints without what is around it, dark on white in a dark room', async (t) => {
  const panel = await panelFor(t, here(), { colorScheme: 'dark' });
  if (!panel) return;
  const { page } = panel;
  const { tenant, consent } = await prepare();
  await signInAs(page, await createLogin(service, tenant, 'admin'), pathOf(tenant, '/consent'));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
  // From anywhere, by the address.
  await (await openPalette(page)).fill(consent.person);
  await page.getByRole('button', { name: `Consent evidence of ${consent.person}` }).click();
  await page.getByText('Signed form at the counter').waitFor();
  await settled(page);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.getByRole('navigation').isVisible(), false);
  assert.equal(await page.getByRole('button').filter({ visible: true }).count(), 0);
  assert.equal(await page.getByText('SHA-256 of the text').first().isVisible(), true);
  const colours = await page.evaluate<string[]>(
    `[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('h1')).color]`,
  );
  assert.deepEqual(colours, ['rgb(255, 255, 255)', 'rgb(0, 0, 0)']);
});

test('a viewer reads terms and events and finds no control; both languages, both themes, phone width', async (t) => {
  const panel = await panelFor(t, here(), { locale: 'es-CL' });
  if (!panel) return;
  const { page, browserErrors } = panel;
  const { tenant, consent } = await prepare();
  await signInAs(page, await createLogin(service, tenant, 'viewer'), pathOf(tenant, '/consent'));
  await page.getByRole('heading', { name: 'Consentimiento', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Newsletter' }).waitFor();
  for (const name of ['Nuevo término', 'Registrar a mano', 'Ver la evidencia']) {
    assert.equal(await page.getByRole('button', { name }).count(), 0, name);
  }
  const term = `/consent/terms/${consent.term_id}`;
  await page.goto(pathOf(tenant, term));
  await page.getByRole('row', { name: '1.2 Borrador' }).getByRole('link').click();
  // What a draft changes is shown unasked.
  await page.getByText('1 párrafo difiere.').waitFor();
  assert.deepEqual(await page.locator('del').allTextContents(), ['monthly']);
  assert.deepEqual(await page.locator('ins').allTextContents(), ['weekly', 'and invitations to readings']);
  for (const name of ['Nueva versión', 'Más acciones', 'Publicar', 'Editar']) {
    assert.equal(await page.getByRole('button', { name }).count(), 0, name);
  }
  const draft = new URL(page.url()).search;
  // The other pages are looked at by panel.test.ts.
  await page.goto(pathOf(tenant, `${term}${draft}`));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await settled(page);
    await assertAccessible(page);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await settled(page);
  assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 390);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(pathOf(tenant, `/consent/evidence?contact=${consent.person}`));
  await page.getByRole('heading', { name: 'La evidencia es para administradores' }).waitFor();
  assert.deepEqual(browserErrors, []);
});
