import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { createLogin, signIn, type PanelUser } from '../support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createDemoTemplates } from './panel-templates.fixture.ts';
import { assertAccessible, panelFor, settled, signInAs, type FoundBrowser } from './panel.fixture.ts';

let service: TestService;
let tenant: Tenant;
let reader: PanelUser;
let found: FoundBrowser;
before(async () => {
  found = await launchBrowser();
  service = await startTestService({ roles: 'api,web,delivery' });
  tenant = await service.tenant();
  reader = await signIn(service, tenant, 'viewer');
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
});

const here = () => ({ found, base_url: service.base_url });
const pathOf = (path: string, of = tenant): string => `/panel/i/${of.instance.slug}${path}`;

const timeout = { timeout_ms: 20_000 };

/** The text of the message in the preview, two frames deep. */
async function previewed(page: Page): Promise<string> {
  const preview = page.frames().find((each) => each.url().includes('/panel/preview'));
  return (
    (await preview
      ?.childFrames()[0]
      ?.evaluate<string>('document.body.innerText')
      .catch(() => '')) ?? ''
  );
}

const shows = async (page: Page, text: string): Promise<boolean> =>
  await waitFor(async () => (await previewed(page)).includes(text), {
    what: `“${text}” in the preview`,
    ...timeout,
  });

/** Replaces what an editor has. */
async function write(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name }).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

/** The message of the sandbox with this subject. */
async function captured(subject: string): Promise<{ html: string; text: string }> {
  const { json } = await waitFor(
    async () => {
      const path = '/v1/private/sandbox-messages';
      const { json: list } = await reader.get(path);
      const row = list.data.find((each: { subject: string }) => each.subject === subject);
      return row && (await reader.get(`${path}/${row.mail_id}`));
    },
    { what: `the captured mail “${subject}”`, timeout_ms: 30_000 },
  );
  return json;
}

test('a template goes from empty to published and is sent with variables', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  await signInAs(page, await createLogin(service, tenant, 'developer'), pathOf('/templates'));
  await page.getByText('No templates yet').waitFor();
  await page.getByRole('button', { name: 'New template' }).first().click();
  const form = page.getByRole('dialog', { name: 'New template' });
  await form.getByLabel('Name').fill('Receipt');
  await form.getByLabel('Nothing').check();
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'Receipt' }).waitFor();

  // A mistake is told at its line; the preview keeps what was there before.
  await page.getByLabel('Subject').fill('Order {{ order.number }}');
  await write(page, 'Content', '<p>Hello {{ recipient.name }}</p>\n<p>{{ order.number | shout }}</p>');
  const problem = page.getByRole('button', { name: 'Content, line 2 undefined filter: shout' });
  await problem.click();
  await page.locator('.cm-lint-marker-error').waitFor();
  await waitFor(async () => (await page.evaluate('document.activeElement?.ariaLabel')) === 'Content', {
    what: 'the line to be gone to',
  });
  await assertAccessible(page);
  await write(
    page,
    'Content',
    '<p>Hello {{ recipient.name }}</p>\n<p>Order {{ order.number }}: <a href="https://shop.example/{{ order.number }}">follow</a></p>',
  );
  await page.getByText('No problems found').waitFor();

  // Variables are found in the text; what is typed for them fills the preview and the list of links.
  await page.getByLabel('Sample value of order.number').fill('1001');
  await shows(page, 'Hello Ana Rojas');
  await shows(page, 'Order 1001: follow');
  await page.getByText('https://shop.example/1001').waitFor();
  await page.getByText(/of 102 KB/).waitFor();
  await page.getByText('Order 1001', { exact: true }).waitFor();
  await page.getByText('Plain text', { exact: true }).click();
  await page.getByText('Order 1001: follow [https://shop.example/1001]').waitFor();
  await write(page, 'Plain text', 'Order {{ order.number }} of yours');
  await page.getByText('Order 1001 of yours').waitFor();

  // The test has what is not saved yet.
  await page.getByRole('button', { name: 'Send test' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send a test' });
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.getByRole('link', { name: 'Open the sandbox inbox' }).waitFor();
  assert.match((await captured('Order 1001')).text, /Order 1001 of yours/);
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+s');
  await page.getByText('The template is saved.').waitFor();
  await page.getByRole('button', { name: 'Publish' }).click();
  const confirm = page.getByRole('dialog', { name: 'Publish' });
  await confirm.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Published', { exact: true }).waitFor();

  const template_id = Number(new URL(page.url()).pathname.split('/').at(-1));
  const { status, text } = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test', name: 'Eva' }],
    template_id,
    template_variables: { order: { number: 'A-7' } },
    strict_variables: true,
  });
  assert.equal(status, 200, text);
  assert.match((await captured('Order A-7')).html, /Hello Eva<\/p>\s*<p>Order A-7/);

  // Unpublishing says in numbers who notices.
  await page.getByRole('button', { name: 'Unpublish' }).click();
  const unpublish = page.getByRole('dialog', { name: 'Unpublish' });
  await unpublish.getByText('Of the newest 2 mails, 1 was sent with it.').waitFor();
  await unpublish.getByRole('button', { name: 'Unpublish' }).click();
  await page.getByText('Draft', { exact: true }).waitFor();
  assert.deepEqual(browserErrors, []);
});

test('versions are compared and restored, and what is unsaved is not lost by leaving', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const colleague = await signIn(service, tenant, 'admin');
  const id = await createDemoTemplates(colleague);
  await signInAs(
    page,
    await createLogin(service, tenant, 'developer'),
    pathOf(`/templates/${id}?tab=versions`),
  );
  await page.getByRole('row', { name: 'Version 1' }).getByText(colleague.login.email).waitFor();
  await page.getByRole('link', { name: 'Version 1' }).click();
  await page.getByRole('heading', { name: 'Subject' }).waitFor();
  await page.locator('.cm-changedText', { hasText: '{{ order.number }}' }).waitFor();
  await settled(page);
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  const restore = page.getByRole('dialog', { name: 'Restore version 1' });
  await restore.getByText('The template is published').waitFor();
  await restore.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('row', { name: /Version 4.*Current.*Restored from 1/ }).waitFor();

  await page.getByRole('tab', { name: 'Edit' }).click();
  const subject = page.getByLabel('Subject');
  await waitFor(async () => (await subject.inputValue()) === 'Your order', {
    what: 'the restored subject',
    ...timeout,
  });
  await subject.fill('Mine');
  await page.getByText('What you save applies from the next send on').waitFor();
  await page.getByRole('link', { name: 'Senders' }).click();
  const leave = page.getByRole('dialog', { name: 'Leave without saving?' });
  await leave.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await subject.inputValue(), 'Mine');

  // Another user saves: it is reported before it is overwritten.
  await colleague.patch(`/v1/private/mail-templates/${id}`, { subject: 'Theirs' });
  await page.getByRole('tab', { name: 'Use' }).click();
  await page.getByRole('tab', { name: 'Edit' }).click();
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await page.getByText('Another user saved this template in the meantime').waitFor();
  await page.getByRole('button', { name: 'Take theirs' }).click();
  assert.equal(await subject.inputValue(), 'Theirs');
  await page.getByRole('link', { name: 'Senders' }).click();
  await page.getByRole('heading', { name: 'Senders' }).waitFor();
});

test('text typed while a template is saved and read again stays', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const writer = await signIn(service, tenant, 'developer');
  const { id } = (await writer.post('/v1/private/mail-templates', { name: 'Typed on', subject: 'One' })).json;
  await signInAs(page, writer.login, pathOf(`/templates/${id}`));
  const subject = page.getByLabel('Subject');
  await subject.fill('Two');
  const saving = Promise.withResolvers<void>();
  const reading = Promise.withResolvers<void>();
  await page.route(`**/v1/private/mail-templates/${id}`, async (route) => {
    await (route.request().method() === 'GET' ? reading : saving).promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Save' }).click();
  await subject.fill('Two and more');
  saving.resolve();
  await page.getByText('The template is saved.').waitFor();
  assert.equal(await subject.inputValue(), 'Two and more');
  await page.getByText('Unsaved changes').waitFor();
  reading.resolve();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
  assert.equal(await subject.inputValue(), 'Two and more');
  const stored = await writer.get(`/v1/private/mail-templates/${id}`);
  assert.equal(stored.json.subject, 'Two and more');
});

test('a template is duplicated, and the copy deleted after its name is typed', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const owner = await signIn(service, tenant, 'owner');
  const { json } = await owner.post('/v1/private/mail-templates', { name: 'Old news' });
  await signInAs(page, await createLogin(service, tenant, 'developer'), pathOf(`/templates/${json.id}`));
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { level: 1, name: 'Old news (copy)' }).waitFor();
  const copy = Number(new URL(page.url()).pathname.split('/').at(-1));
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete' });
  const remove = dialog.getByRole('button', { name: 'Delete' });
  assert.equal(await remove.isDisabled(), true);
  await dialog.getByLabel(/Type/).fill('Old news (copy)');
  await remove.click();
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
  const statusOf = async (id: number): Promise<number> =>
    (await owner.get(`/v1/private/mail-templates/${id}`)).status;
  assert.deepEqual([await statusOf(json.id), await statusOf(copy)], [200, 404]);
});

test('a viewer reads a template in Spanish, in both themes and on a phone, without a control', async (t) => {
  const panel = await panelFor(t, here(), { locale: 'es-CL' });
  if (!panel) return;
  const { page, browserErrors } = panel;
  const other = await service.tenant();
  const id = await createDemoTemplates(await signIn(service, other, 'owner'));
  await signInAs(page, await createLogin(service, other, 'viewer'), pathOf('/templates', other));
  await page.getByRole('heading', { name: 'Plantillas' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Nueva plantilla' }).count(), 0);
  await page.getByRole('link', { name: 'Order confirmation' }).click();
  await shows(page, 'Thank you for your order');
  for (const name of ['Guardar', 'Enviar prueba', 'Publicar', 'Retirar', 'Más acciones']) {
    assert.equal(await page.getByRole('button', { name }).count(), 0, name);
  }
  await page.getByRole('tab', { name: 'Versiones' }).waitFor();
  await page.goto(pathOf(`/templates/${id}`, other));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await settled(page);
    await assertAccessible(page);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 390);
  assert.deepEqual(browserErrors, []);
});

test('the preview shows a mail on a phone and in the dark, as its own styles say', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const owner = await signIn(service, tenant, 'owner');
  const source =
    '<style>p { color: rgb(1, 1, 1) } @media (prefers-color-scheme: dark) { p { color: rgb(250, 250, 250) } }</style><p>Colours</p>';
  const { json } = await owner.post('/v1/private/mail-templates', { name: 'Shades', source });
  await signInAs(page, await createLogin(service, tenant, 'developer'), pathOf(`/templates/${json.id}`));
  await shows(page, 'Colours');
  const message = () =>
    page
      .frames()
      .find((each) => each.url().includes('/panel/preview'))
      ?.childFrames()[0];
  const isColour = async (colour: string): Promise<boolean> =>
    await waitFor(
      async () => {
        const got = await message()
          ?.evaluate<string>("getComputedStyle(document.querySelector('p')).color")
          .catch(() => '');
        return got === colour;
      },
      { what: `text in ${colour}`, ...timeout },
    );
  await isColour('rgb(1, 1, 1)');
  await page.getByText('Dark', { exact: true }).click();
  await isColour('rgb(250, 250, 250)');
  assert.equal(await page.getByText('Mail programs that darken mail').count(), 0);
  await page.getByRole('radiogroup', { name: 'Width' }).getByText('Phone').click();
  await waitFor(async () => (await message()?.evaluate<number>('innerWidth')) === 373, {
    what: 'the width of a phone',
    ...timeout,
  });
  assert.match(page.url(), /view=phone/);
  await write(page, 'Content', '<p>Plain</p>');
  await page.getByText('Mail programs that darken mail').waitFor();
  const filter = async (): Promise<string> =>
    (await message()?.parentFrame()?.evaluate<string>("document.querySelector('iframe').style.filter")) ?? '';
  await waitFor(async () => (await filter()).startsWith('invert'), {
    what: 'a darkened message',
    ...timeout,
  });
});
