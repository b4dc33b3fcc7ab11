import type { Locator, Page } from 'playwright-core';
import type { PanelDemo } from './panel-demo.fixture.ts';
import { orderSamples } from './panel-templates.fixture.ts';
import { settled } from './panel.fixture.ts';

export interface Guide {
  page: Page;
  demo: PanelDemo;
  /** Of the window, or of one part of the page. */
  take: (picture: string, part?: Locator) => Promise<void>;
}

/** The pictures of docs/templates.md. */
export async function takeTemplatePictures({ page, demo, take }: Guide): Promise<void> {
  const base = `/panel/i/${demo.tenant.instance.slug}/templates`;
  const one = `${base}/${demo.template_id}`;
  await page.setViewportSize({ width: 1200, height: 560 });
  await page.goto(base);
  await take('list');

  await page.setViewportSize({ width: 1200, height: 860 });
  await page.goto(one);
  for (const [name, value] of Object.entries(orderSamples)) {
    await page.getByLabel(`Sample value of ${name}`).fill(value);
  }
  await page.getByText('https://altiplano.example/orders/1001').waitFor();
  await page.evaluate('scrollTo(0, 0)');
  await take('editor');
  await take('variables', sectionOf(page, 'Variables and sample values'));

  await page.goto(`${one}?view=phone&scheme=dark`);
  await page.setViewportSize({ width: 1200, height: 1000 });
  await settled(page);
  await take('dark', page.locator('section').filter({ has: page.locator('iframe') }));

  await page.goto(one);
  await page.setViewportSize({ width: 1200, height: 700 });
  const content = page.getByRole('textbox', { name: 'Content' });
  await content.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(
    '<mjml>\n  <mj-body>\n    <mj-text colour="red">{{ order.number | shout }}</mj-text>\n  </mj-body>\n</mjml>\n',
  );
  await page.getByText(/Problems: \d/).waitFor();
  await take('problem', page.locator('section').filter({ has: content }));

  await page.getByRole('button', { name: 'Send test' }).click();
  await take('test', page.getByRole('dialog', { name: 'Send a test' }));
  await page.keyboard.press('Escape');
  await page.evaluate('onbeforeunload = null');

  await page.setViewportSize({ width: 1200, height: 800 });
  await page.goto(`${one}?tab=versions&open=1`);
  await take('versions');
}

function sectionOf(page: Page, heading: string): Locator {
  return page.locator('section').filter({ has: page.getByRole('heading', { name: heading }) });
}
