import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { createFormAccount, type FormAccount } from '../../src/forms/form-account.fixture.ts';
import { createLogin } from '../support/panel-user.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { assertAccessible, panelFor, settled, signInAs, type FoundBrowser } from './panel.fixture.ts';

let service: TestService;
let account: FormAccount;
let found: FoundBrowser;
before(async () => {
  found = await launchBrowser();
  service = await startTestService({ roles: 'api,web,delivery' });
  account = await createFormAccount(service);
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
});

const here = () => ({ found, base_url: service.base_url });
const pathOf = (path: string): string => `/panel/i/${account.instance.slug}${path}`;
const focused = async (target: Locator): Promise<boolean> =>
  await target.evaluateAll((elements: unknown[]) =>
    elements.some((element) => (element as { matches: (of: string) => boolean }).matches(':focus')),
  );

/** Goes to a control by the keyboard. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await focused(target)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${String(target)} is not reached by ${key}`);
}

/** The form inside of the preview, which is two frames deep. */
async function previewed(page: Page, text: RegExp): Promise<void> {
  const shown = async (): Promise<boolean> => {
    const outer = page.frames().find((frame) => frame.url().includes('/panel/preview'));
    const content = await outer
      ?.childFrames()[0]
      ?.content()
      .catch(() => '');
    return text.test(content ?? '');
  };
  await waitFor(shown, { what: `the preview with ${String(text)}`, timeout_ms: 45_000 });
}

/** Where the link of the mail leads; the port of a test is known only once it listens. */
async function confirmationPath(email: string): Promise<string> {
  return await linkPath(email, /\/confirm\/\S+/);
}

async function linkPath(email: string, link: RegExp): Promise<string> {
  const inbox = '/v1/private/sandbox-messages';
  return await waitFor(
    async () => {
      const { json } = await account.panel.get(`${inbox}?recipient=${encodeURIComponent(email)}`);
      const [mail] = json.data as { mail_id: string }[];
      if (!mail) return undefined;
      const { text } = (await account.panel.get(`${inbox}/${mail.mail_id}`)).json;
      return link.exec(text as string)?.[0];
    },
    { what: 'the link in a mail', timeout_ms: 20_000 },
  );
}

test('a form is built with only the keyboard, filled in elsewhere, confirmed, and its submission read', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const { keyboard } = page;
  await signInAs(page, await createLogin(service, account, 'developer'), pathOf('/forms'));
  await settled(page);
  await tabTo(page, page.getByRole('link', { name: 'New form' }).first());
  await keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'New form' }).waitFor();
  await tabTo(page, page.getByRole('textbox', { name: 'Name' }));
  await keyboard.type('Club');
  await tabTo(page, page.getByRole('button', { name: 'First name' }));
  await keyboard.press('Enter');
  // What was added has the focus, and its handle is before it.
  const row = page.getByRole('listitem').filter({ hasText: 'First name' });
  await waitFor(async () => await focused(row.getByRole('button', { name: /^First name/ })), {
    what: 'the focus',
  });
  await keyboard.press('Enter');
  await tabTo(page, row.getByRole('textbox', { name: 'Label' }));
  await keyboard.type('What friends call you');
  await previewed(page, /What friends call you/);
  const items = page.getByRole('list', { name: 'Items' }).getByRole('listitem');
  const renamed = items.filter({ hasText: 'What friends call you' });
  await tabTo(page, renamed.getByRole('switch', { name: 'Required' }));
  await keyboard.press('Space');
  await tabTo(page, renamed.getByRole('button', { name: 'Move What friends call you' }), 'Shift+Tab');
  await keyboard.press('ArrowUp');
  await page.getByText('What friends call you is now 1 of 2').waitFor();
  assert.match((await items.first().textContent()) ?? '', /What friends call you/);
  await tabTo(page, page.getByRole('button', { name: /^Term/ }));
  await keyboard.press('Enter');
  const consent = items.filter({ hasText: 'Consent' });
  await waitFor(async () => await focused(consent.getByRole('button', { name: /^Term/ })), {
    what: 'the focus',
  });
  await keyboard.press('Enter');
  await consent.getByText('I agree.').waitFor();
  await tabTo(page, consent.getByRole('switch', { name: 'Required' }));
  await keyboard.press('Space');

  await tabTo(page, page.getByRole('tab', { name: 'Build' }), 'Shift+Tab');
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowRight');
  await tabTo(page, page.getByRole('switch', { name: 'Ask people to confirm by mail' }));
  await keyboard.press('Space');
  await previewed(page, /Was it you\?/);
  await tabTo(page, page.getByRole('combobox', { name: 'Sender' }));
  await keyboard.type('test@');
  await page.getByRole('option', { name: /test@/ }).waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await page.getByText('Choose a sender').waitFor({ state: 'detached' });
  await tabTo(page, page.getByRole('button', { name: 'Create form' }), 'Shift+Tab');
  await keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Club' }).waitFor();
  await settled(page);
  await assertAccessible(page);
  const [, id = ''] = /\/forms\/(\d+)/.exec(page.url()) ?? [];
  const { json: form } = await account.panel.get(`/v1/private/forms/${id}`);
  assert.equal(form.requires_confirmation, true);
  assert.deepEqual(
    form.items.map(({ kind, label, is_required }: Record<string, unknown>) => [kind, label, is_required]),
    [
      ['field', 'What friends call you', true],
      ['field', null, true],
      ['consent', null, true],
    ],
  );

  const visitor = await panelFor(t, here(), { locale: 'en-US' });
  if (!visitor) return;
  await visitor.page.goto(`/f/${form.public_token}`);
  await visitor.page.getByLabel('What friends call you').fill('Inés');
  await visitor.page.getByLabel('Email').fill('ines@sandbox.test');
  await visitor.page.getByRole('checkbox', { name: /I agree/ }).check();
  await visitor.page.getByRole('button', { name: 'Send' }).click();
  await visitor.page.getByRole('heading', { name: 'One step left' }).waitFor();

  await page.getByRole('tab', { name: 'Submissions' }).click();
  const submission = page.getByRole('row', { name: /ines@sandbox.test.*Pending/ });
  await submission.waitFor();
  await submission.getByRole('link').click();
  const dialog = page.getByRole('dialog', { name: /^Submission/ });
  await dialog.getByText('Inés').waitFor();
  await dialog.getByText(/^Term \d+ · version 1$/).waitFor();
  await dialog.getByRole('button', { name: 'Send confirmation again' }).click();
  await page.getByText('The confirmation is on its way.').waitFor();
  await assertAccessible(page);

  await visitor.page.goto(await confirmationPath('ines@sandbox.test'));
  await visitor.page.getByRole('button', { name: 'Yes, confirm' }).click();
  await visitor.page.getByRole('heading', { name: 'Confirmed' }).waitFor();
  await page.reload();
  await dialog.getByText('It counts.').waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Send confirmation again' }).count(), 0);
  await keyboard.press('Escape');
  await page.getByRole('row', { name: /ines@sandbox.test.*Confirmed/ }).waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'As CSV, for spreadsheets' }).click();
  assert.match((await downloading).suggestedFilename(), /^form-submissions-.*\.csv$/);
});

async function makeForm(more: object = {}): Promise<{ id: number; public_token: string }> {
  const field = (key: string) => ({ kind: 'field', field_id: account.fields[key] });
  const form = { name: 'Drag', kind: 'advanced', type: 'registration', ...more };
  const items = [field('EMAIL'), field('FIRST_NAME'), { kind: 'text', content: 'Hello' }];
  const { json, status, text } = await account.panel.post('/v1/private/forms', { items, ...form });
  assert.equal(status, 201, text);
  return json;
}

/** From the middle of one thing to the middle of another, as a hand does. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  assert.ok(start && end);
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2 - 4, { steps: 8 });
  await page.mouse.up();
}

test('items are dragged to their places, new ones too, and nothing is lost by accident', async (t) => {
  const panel = await panelFor(t, here(), { viewport: { width: 1280, height: 1400 } });
  if (!panel) return;
  const { page } = panel;
  const { id } = await makeForm();
  await signInAs(page, await createLogin(service, account, 'developer'), pathOf(`/forms/${id}`));
  await settled(page);
  const items = page.getByRole('list', { name: 'Items' }).getByRole('listitem');
  const names = async (): Promise<string[]> =>
    (await items.getByRole('button', { expanded: false }).allTextContents()).map((text) =>
      text.replace(/(?:Email address|Text|Phone number).*$/, ''),
    );
  await drag(page, items.getByRole('button', { name: 'Move Hello' }), items.first());
  await waitFor(async () => (await names())[0] === 'Hello', { what: 'the text at the top' });
  await drag(page, page.getByRole('button', { name: 'Phone', exact: true }), items.nth(1));
  await waitFor(async () => (await names()).join() === 'Hello,Phone,Email,First name', {
    what: 'the phone in its place',
  });
  // Dropped beside the list, it is not added.
  await drag(
    page,
    page.getByRole('button', { name: 'Last name', exact: true }),
    page.getByRole('heading', { level: 1 }),
  );
  assert.equal(await items.count(), 4);
  await page.getByText('Not saved yet').waitFor();
  await page.getByRole('link', { name: 'Senders' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByText('Cancel').click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The form is saved.').waitFor();
  const { json } = await account.panel.get(`/v1/private/forms/${id}`);
  assert.deepEqual(
    json.items.map(({ content, field_id }: Record<string, unknown>) => content ?? field_id),
    ['Hello', account.fields['PHONE'], account.fields['EMAIL'], account.fields['FIRST_NAME']],
  );
  await page.getByRole('link', { name: 'Senders' }).click();
  await page.getByRole('heading', { level: 1, name: 'Senders' }).waitFor();
});

test('a form saved by another user is reloaded or reported, and what is typed during a save stays', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const { id } = await makeForm();
  const path = `/v1/private/forms/${id}`;
  const lookAgain = async (): Promise<void> =>
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await signInAs(page, await createLogin(service, account, 'developer'), pathOf(`/forms/${id}`));
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.waitFor();
  const isNamed = async (text: string): Promise<boolean> =>
    await waitFor(async () => (await name.inputValue()) === text, { what: `the name ${text}` });

  await account.panel.patch(path, { name: 'Theirs' });
  await lookAgain();
  await isNamed('Theirs');

  await name.fill('Mine');
  await account.panel.patch(path, { name: 'Theirs again' });
  await lookAgain();
  await page.getByText('Another user saved this form in the meantime').waitFor();
  assert.equal(await name.inputValue(), 'Mine');
  await page.getByRole('button', { name: 'Take theirs' }).click();
  await isNamed('Theirs again');

  await name.fill('Mine');
  const saving = Promise.withResolvers<void>();
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === 'PATCH') await saving.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Save' }).click();
  await name.fill('Mine and more');
  saving.resolve();
  await page.getByText('The form is saved.').waitFor();
  assert.equal(await name.inputValue(), 'Mine and more');
  await page.getByText('Not saved yet').waitFor();
  assert.equal(await page.getByText('in the meantime').count(), 0);
  assert.equal((await account.panel.get(path)).json.name, 'Mine');
});

test('colours are measured, a style sheet that loads something is refused where it is typed', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const { id, public_token } = await makeForm();
  await signInAs(page, await createLogin(service, account, 'developer'), pathOf(`/forms/${id}?tab=design`));
  await settled(page);
  await page.getByRole('textbox', { name: 'Buttons and focus' }).fill('#ffe066');
  await page.getByText('Hard to see for many people.').waitFor();
  await page.getByRole('button', { name: /^Use #/ }).click();
  await page.getByText('Hard to see for many people.').waitFor({ state: 'detached' });
  const chosen = await page.getByRole('textbox', { name: 'Buttons and focus' }).inputValue();
  await previewed(page, new RegExp(`--accent: ${chosen}`));
  const css = page.getByRole('textbox', { name: 'CSS' });
  await css.fill('h1 { background: url(https://example.com/x.png) }');
  await page.getByText(/may load and run nothing/).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').waitFor();
  await css.fill('h1 { letter-spacing: 0 }');
  await page.getByRole('textbox', { name: 'Background' }).fill('#fdf6ec');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The form is saved.').waitFor();
  await assertAccessible(page);
  const html = await (await fetch(`${service.base_url}/f/${public_token}`)).text();
  assert.ok(html.includes(`--accent: ${chosen}`) && html.includes('--paper: #fdf6ec'));
});

test('a field is made with its options, changed, put aside and deleted', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  await signInAs(page, await createLogin(service, account, 'admin'), pathOf('/fields'));
  await page.getByRole('button', { name: 'New field' }).click();
  const dialog = page.getByRole('dialog', { name: 'New field' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Color favorito');
  assert.equal(await dialog.getByRole('textbox', { name: 'Key' }).inputValue(), 'COLOR_FAVORITO');
  await dialog.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Choice of one' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByRole('alert').first().waitFor();
  await dialog.getByRole('textbox', { name: 'Label of option 1' }).fill('Azul');
  await dialog.getByRole('button', { name: 'Add option' }).click();
  await dialog.getByRole('textbox', { name: 'Label of option 2' }).fill('Rojo');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.waitFor({ state: 'detached' });
  const row = page.getByRole('row', { name: /COLOR_FAVORITO/ });
  await row.getByRole('link').click();
  const edit = page.getByRole('dialog', { name: 'Edit field' });
  await edit.getByRole('textbox', { name: 'Label of option 2' }).fill('Rojo vivo');
  assert.equal(await edit.getByRole('textbox', { name: 'Value of option 2' }).inputValue(), 'ROJO');
  await edit.getByRole('switch', { name: 'Active' }).uncheck();
  await assertAccessible(page);
  await edit.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Inactive').waitFor();
  const { json } = await account.panel.get('/v1/private/fields?page_size=100');
  const field = json.data.find(({ field_key }: { field_key: string }) => field_key === 'COLOR_FAVORITO');
  assert.deepEqual(field.config.options, [
    { value: 'AZUL', label: 'Azul' },
    { value: 'ROJO', label: 'Rojo vivo' },
  ]);
  await row.getByRole('link').click();
  await edit.getByRole('button', { name: 'Delete field' }).click();
  const sure = page.getByRole('dialog', { name: 'Delete field' });
  await sure.getByRole('textbox').fill('COLOR_FAVORITO');
  await sure.getByRole('button', { name: 'Delete field' }).click();
  await row.waitFor({ state: 'detached' });
});

test('a viewer reads a form and its submissions in Spanish on a phone, and sees no control', async (t) => {
  const panel = await panelFor(t, here(), { locale: 'es-CL', viewport: { width: 390, height: 844 } });
  if (!panel) return;
  const { page, browserErrors } = panel;
  const { id, public_token } = await makeForm({ name: 'Contacto' });
  const answers = new URLSearchParams({ EMAIL: 'eva@sandbox.test', FIRST_NAME: 'Eva' });
  await fetch(`${service.base_url}/f/${public_token}`, { method: 'POST', redirect: 'manual', body: answers });
  await signInAs(page, await createLogin(service, account, 'viewer'), pathOf('/forms'));
  assert.equal(await page.getByRole('link', { name: 'Nuevo formulario' }).count(), 0);
  await page.getByRole('link', { name: 'Contacto' }).click();
  await page.getByRole('heading', { level: 1, name: 'Contacto' }).waitFor();
  await page.getByText('Hello').waitFor();
  for (const name of ['Guardar', 'Más acciones']) {
    assert.equal(await page.getByRole('button', { name }).count(), 0, name);
  }
  for (const tab of ['', '?tab=embed', '?tab=submissions']) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(pathOf(`/forms/${id}${tab}`));
      await settled(page);
      await assertAccessible(page);
    }
    assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= 390, tab);
  }
  await page.getByRole('link', { name: 'eva@sandbox.test' }).click();
  await page.getByRole('dialog').getByText('Eva', { exact: true }).waitFor();
  await assertAccessible(page);
  assert.deepEqual(browserErrors, []);
});

test('a form of type update is built as the default, changes what a person told, and the panel shows the history', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  const email = 'delivered+history@sandbox.test';
  const items = ['EMAIL', 'FIRST_NAME'].map((key) => ({ kind: 'field', field_id: account.fields[key] }));
  const { json } = await account.panel.post('/v1/private/forms', {
    name: 'Register',
    kind: 'advanced',
    type: 'registration',
    items,
  });
  const tell = async (url: string, fields: Record<string, string>) =>
    await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });
  await tell(`${service.base_url}/f/${json.public_token}`, { EMAIL: email, FIRST_NAME: 'Anita' });
  await signInAs(page, await createLogin(service, account, 'developer'), pathOf('/forms/new'));
  await page.getByRole('textbox', { name: 'Name' }).fill('Your details');
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: /^Update/ }).click();
  await page.getByRole('switch', { name: 'Default form' }).check({ force: true });
  await page.getByRole('button', { name: 'First name' }).click();
  await previewed(page, /Mail me the link/);
  await page.getByRole('tab', { name: 'Mails' }).click();
  await page.getByText('Choose a sender').waitFor();
  await page.getByRole('combobox', { name: 'Sender' }).click();
  await page.getByRole('option', { name: /test@/ }).click();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Create form' }).click();
  await page.getByRole('heading', { level: 1, name: 'Your details' }).waitFor();
  const { data } = (await account.panel.get('/v1/private/forms?type=update')).json;
  assert.equal(data[0].is_default, true);

  await tell(`${service.base_url}/f/${data[0].public_token}`, { EMAIL: email });
  const link = service.base_url + (await linkPath(email, /\/update\/[\w-]+/));
  const person = await page.context().newPage();
  await person.goto(link);
  const name = person.getByLabel('First name');
  assert.equal(await name.inputValue(), 'Anita');
  await name.fill('Ana María');
  await person.getByRole('button', { name: 'Save' }).click();
  await person.getByRole('heading', { name: 'Saved' }).waitFor();
  await person.close();

  await page.goto(`${service.base_url}${pathOf(`/forms/${json.id}?tab=submissions`)}`);
  await page.getByText('Replaced').waitFor();
  await page.getByRole('link', { name: email }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('First name: Ana María').waitFor();
  await dialog.getByText('Anita', { exact: true }).waitFor();
  await assertAccessible(page);
});
