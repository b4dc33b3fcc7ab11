import type { Locator, Page } from 'playwright-core';
import type { Guide } from './guide-templates.fixture.ts';
import { settled } from './panel.fixture.ts';

/** The pictures of docs/consent.md. */
export async function takeConsentPictures({ page, demo, take }: Guide): Promise<void> {
  const { term_id, person } = demo.consent;
  const base = `/panel/i/${demo.tenant.instance.slug}/consent`;
  const size = async (height: number): Promise<void> => await page.setViewportSize({ width: 1200, height });

  await size(620);
  await page.goto(`${base}/terms/${term_id}`);
  await page.getByRole('row', { name: '1.2 Draft' }).getByRole('link').click();
  await page.getByText('1 paragraph differs.').waitFor();
  await size(860);
  await take('term');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Deactivate' }).click();
  await page.getByText('recorded events stay valid').waitFor();
  await take('deactivate', page.getByRole('dialog', { name: 'Deactivate' }));

  await size(640);
  await page.goto(`${base}?list=events`);
  await take('events');

  await page.getByRole('button', { name: 'Record by hand' }).click();
  const form = page.getByRole('dialog', { name: 'Record by hand' });
  await form.getByText('Withdrawal', { exact: true }).click();
  await form.getByRole('textbox', { name: 'Contact' }).fill('luis.soto@example.com');
  await form.getByLabel('How you know').fill('Asked by phone to be written to no more');
  await size(980);
  await take('by-hand', form);

  await size(900);
  await page.goto(`${base}/evidence?contact=${encodeURIComponent(person)}`);
  await settled(page);
  await take('evidence');
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('Calculated again in this browser').waitFor();
  await size(2_200);
  await take('verified', sectionOf(page, 'Integrity'));

  await size(600);
  await page.goto(`${base}?list=chain`);
  await page.getByRole('button', { name: 'Verify all' }).click();
  await page.getByText(/rows are intact/).waitFor();
  await take('chain');
}

function sectionOf(page: Page, heading: string): Locator {
  return page.locator('section').filter({ has: page.getByRole('heading', { name: heading }) });
}
