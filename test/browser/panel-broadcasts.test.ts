import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser } from '../support/browser.ts';
import { createLogin, signIn, type PanelUser } from '../support/panel-user.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { addVersion, createSubscriptionForm, createTerm } from './consent-demo.fixture.ts';
import { panelFor, signInAs, type FoundBrowser } from './panel.fixture.ts';

let service: TestService;
let found: FoundBrowser;
before(async () => {
  found = await launchBrowser();
  service = await startTestService({ roles: 'api,web,delivery,jobs' });
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
});

const person = 'ana@sandbox.test';

test('from an empty instance by form, double opt-in, broadcast, click and withdrawal to the evidence', async (t) => {
  const here = { found, base_url: service.base_url };
  const panel = await panelFor(t, here);
  const window = await panelFor(t, here);
  if (!panel || !window) return;
  const tenant = await service.tenant();
  const user = await signIn(service, tenant, 'admin');
  const url = await prepare(user, tenant);

  // As a visitor, who agrees and confirms.
  const visitor = window.page;
  await visitor.goto(url);
  await visitor.getByLabel('Email').fill(person);
  await visitor.getByRole('checkbox', { name: /Newsletter/ }).check();
  await visitor.getByRole('button', { name: 'Send' }).click();
  await visitor.goto(linkIn(await captured(user, 1), /http\S+\/confirm\/[\w.-]+/));
  await visitor.getByRole('button', { name: 'Yes, confirm' }).click();
  await visitor.getByRole('heading', { name: 'Confirmed' }).waitFor();

  // The broadcast is created, its audience seen, and sent.
  const { page } = panel;
  const base = `/panel/i/${tenant.instance.slug}`;
  await signInAs(page, await createLogin(service, tenant, 'admin'), `${base}/broadcasts?add=1`);
  const dialog = page.getByRole('dialog', { name: 'New broadcast' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Spring news');
  for (const [choice, option] of [
    ['Purpose', 'Newsletter'],
    ['Sender', /^news@/],
    ['Template', 'Spring'],
  ] as const) {
    await dialog.getByLabel(choice).first().click();
    await page.getByRole('option', { name: option }).click();
  }
  await dialog.getByRole('button', { name: 'Create draft' }).click();
  await page
    .getByRole('status')
    .filter({ hasText: /^Would be written to now\s*1$/ })
    .waitFor();
  await page.getByRole('button', { name: 'Send now' }).click();
  const question = page.getByRole('dialog', { name: 'Send now' });
  await question.getByText('It goes to 1 recipient').waitFor();
  await question.getByRole('button', { name: 'Send now' }).click();
  await page.getByText('Sent', { exact: true }).waitFor();
  await page.getByText('1 of 1 handed over').waitFor();

  // The person follows a link, and withdraws.
  const news = await captured(user, 2);
  const tracked = await fetch(linkIn(news, /http\S+\/c\/[\w.~-]+/), {
    redirect: 'manual',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
  });
  assert.ok(tracked.status < 400, String(tracked.status));
  await visitor.goto(linkIn(news, /http\S+\/u\/[\w.~-]+/));
  await visitor.getByRole('button', { name: 'Unsubscribe' }).click();
  await visitor.getByRole('heading', { level: 1 }).filter({ hasNotText: '?' }).waitFor();

  // The report leads to the evidence.
  await waitFor(
    async () => {
      const { data } = (await user.get('/v1/private/broadcasts')).json;
      const { json } = await user.get(`/v1/private/broadcasts/${data[0].id}/report`);
      return json.funnel.clicked === 1 && json.unsubscribes === 1;
    },
    { what: 'the report', timeout_ms: 30_000 },
  );
  await page.reload();
  await page.getByText('https://example.com/spring').waitFor();
  await page.getByLabel('Address').fill(person);
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.getByRole('link', { name: 'Evidence' }).click();
  await page.getByRole('heading', { level: 1, name: person }).waitFor();
  const history = page.getByRole('list', { name: 'History' });
  await history.getByText('Agreed').waitFor();
  await history.getByText('Withdrew').waitFor();
});

type Prepared = Parameters<typeof createSubscriptionForm>[1];

/** A term, a form, a sender and a template: what the guide has before the first broadcast. Gives the address of the form. */
async function prepare(user: PanelUser, tenant: Prepared['tenant']): Promise<string> {
  const { data } = (await user.get('/v1/private/consent-purposes')).json;
  const newsletter = data.find(({ code }: { code: string }) => code === 'newsletter').id;
  const term_id = await createTerm(user, { name: 'Newsletter', purpose_ids: [newsletter] });
  await addVersion(user, { term_id, version: '1.0', body: 'I agree to the newsletter.', isCurrent: true });
  await user.post('/v1/private/senders', {
    name: 'News',
    email_address: `news@${tenant.instance.slug}.sandbox.test`,
    stream: 'broadcast',
  });
  const template = await user.post('/v1/private/mail-templates', {
    name: 'Spring',
    subject: 'Spring',
    source: '<p><a href="https://example.com/spring">Look</a> <a href="{{ unsubscribe_url }}">Leave</a></p>',
  });
  await user.post(`/v1/private/mail-templates/${template.json.id}/publish`);
  return await createSubscriptionForm(service, { tenant, user, term_id });
}

/** The message to the person that came as the n-th. */
async function captured(user: PanelUser, count: number): Promise<string> {
  const path = '/v1/private/sandbox-messages';
  const mail_id = await waitFor(
    async () => {
      const { data } = (await user.get(`${path}?recipient=${person}`)).json;
      return data.length === count && data[0].mail_id;
    },
    { what: `mail ${count}`, timeout_ms: 60_000 },
  );
  const { text, html } = (await user.get(`${path}/${mail_id}`)).json;
  return `${text}\n${html}`;
}

function linkIn(message: string, pattern: RegExp): string {
  const [link] = pattern.exec(message) ?? [];
  assert.ok(link, `a link like ${pattern.source}`);
  return link;
}
