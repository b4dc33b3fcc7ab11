import { importedFile } from './contact-demo.fixture.ts';
import type { Guide } from './guide-templates.fixture.ts';

/** The pictures of docs/contacts.md. */
export async function takeContactPictures({ page, demo, take }: Guide): Promise<void> {
  const base = `/panel/i/${demo.tenant.instance.slug}/contacts`;
  await page.setViewportSize({ width: 1200, height: 800 });
  await page.goto(`${base}/view?contact=${encodeURIComponent('click+marta@sandbox.test')}`);
  await page.getByRole('heading', { name: 'Consents' }).waitFor();
  await take('contact');

  await page.goto(`${base}?add=1`);
  const dialog = page.getByRole('dialog', { name: 'Import contacts' });
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog.getByRole('button', { name: /CSV file/ }).click(),
  ]);
  const text = importedFile.replaceAll('delivered+', 'nuevo+');
  await chooser.setFiles({ name: 'socios.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  for (const [choice, option] of [
    ['Text that they agreed to', /Newsletter/],
    ['How they agreed', 'Single opt-in'],
  ] as const) {
    await dialog.getByLabel(choice).first().click();
    await page.getByRole('option', { name: option }).first().click();
  }
  await dialog.getByLabel('Where it was agreed to').fill('Paper forms at the counter, folder 12');
  await take('form', dialog);
  await dialog.getByRole('button', { name: 'Check file' }).click();
  await dialog.getByText('Nothing is stored yet').waitFor();
  await take('import', dialog);
}
