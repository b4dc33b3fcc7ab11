import type { Locator, Page } from 'playwright-core';
import type { Guide } from './guide-templates.fixture.ts';
import { settled } from './panel.fixture.ts';

/** The pictures of docs/forms.md. */
export async function takeFormPictures({ page, demo, take }: Guide): Promise<void> {
  const { slug } = demo.tenant.instance;
  const one = `/panel/i/${slug}/forms/${demo.form_id}`;
  const show = async (address: string, height: number): Promise<void> => {
    await page.setViewportSize({ width: 1280, height });
    await page.goto(address);
    await settled(page);
  };
  await show(one, 1000);
  await take('builder');
  await page.getByRole('button', { name: /^Newsletter Consent/ }).click();
  await page.getByRole('region', { name: /Newsletter · version/ }).waitFor();
  await page.mouse.move(0, 0);
  await take('consent-item', page.getByRole('listitem').filter({ hasText: 'Label of the checkbox' }));

  await show(`${one}?tab=design&scheme=dark`, 900);
  await take('design');
  await show(`${one}?tab=mails`, 860);
  await take('mails');
  await show(`${one}?tab=embed`, 860);
  await take('embed', sectionOf(page, 'In your own page'));
  await show(`${one}?tab=submissions`, 860);
  await page.getByRole('row', { name: /ines/ }).getByRole('link').click();
  await page.getByText('Quispe').last().waitFor();
  await take('submission', page.getByRole('dialog').last());

  await page.setViewportSize({ width: 640, height: 900 });
  const { public_token } = (await demo.tenant.api.get(`/v1/forms/${demo.form_id}`)).json;
  await page.goto(`/f/${public_token}`);
  await take('page', page.locator('.card'));
}

function sectionOf(page: Page, title: string): Locator {
  return page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
}
