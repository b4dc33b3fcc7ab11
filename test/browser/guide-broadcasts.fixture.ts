import type { Guide } from './guide-templates.fixture.ts';

/** The pictures of docs/broadcasts.md. */
export async function takeBroadcastPictures({ page, demo, take }: Guide): Promise<void> {
  const base = `/panel/i/${demo.tenant.instance.slug}/broadcasts`;
  await page.setViewportSize({ width: 1200, height: 420 });
  await page.goto(base);
  await page.getByRole('row', { name: /Draft/ }).waitFor();
  await take('list');

  await page.setViewportSize({ width: 1200, height: 980 });
  await page.goto(`${base}/${demo.draft_broadcast_id}`);
  await page.getByText('Conditions are not met').waitFor();
  await take('draft');

  await page.getByRole('button', { name: 'Send test' }).click();
  await take('test', page.getByRole('dialog', { name: 'Send a test' }));
  await page.keyboard.press('Escape');

  await page.goto(`${base}/${demo.sent_broadcast_id}`);
  await page.getByRole('heading', { name: 'Links' }).waitFor();
  await take('report');

  await page.getByLabel('Address').fill('click+marta@sandbox.test');
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.getByRole('link', { name: 'Evidence' }).waitFor();
  await take('why', page.locator('section').filter({ has: page.getByLabel('Address') }));
}
