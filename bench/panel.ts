import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { openPanel } from '../test/browser/panel.fixture.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { prepareActivity } from './support/activity-data.ts';
import { keepResults } from './support/results.ts';
import { startServiceUnderTest } from './support/service-under-test.ts';

/**
 * How long a person waits, by the clock of the browser: from the click on "Sign in" to the first figures of the overview,
 * and from the click on "Mails" to the first row. `npm run bench -- panel [mails]`, 1 million unless said. Every round has a
 * new browser profile, so that nothing is cached.
 */
const rounds = Number(process.env['ROUNDS'] ?? 7);
const targetMs = 1_000;

interface Login {
  email: string;
  password: string;
}

/** Milliseconds from a click to the first frame in which the document has something, by the page's own clock. */
async function timeTo(page: Page, click: () => Promise<void>, selector: string): Promise<number> {
  const measured = page.evaluate<number>(`new Promise((resolve) => {
    let began;
    addEventListener('click', () => { began ??= performance.now() }, { capture: true, once: true });
    const look = () => {
      if (began !== undefined && document.querySelector(${JSON.stringify(selector)})) resolve(performance.now() - began);
      else requestAnimationFrame(look);
    };
    look();
  })`);
  await click();
  return await measured;
}

interface Times {
  overview: number;
  mails: number;
}

async function measure(browser: Browser, base_url: string, { email, password }: Login): Promise<Times> {
  const { page, close } = await openPanel(browser, base_url);
  try {
    await page.goto('/panel/sign-in');
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    const signIn = page.getByRole('button', { name: 'Sign in' });
    const overview = await timeTo(page, async () => await signIn.click(), 'main li div[title]');
    const link = page.getByRole('link', { name: 'Mails', exact: true });
    const mails = await timeTo(page, async () => await link.click(), 'main [data-row-link]');
    return { overview, mails };
  } finally {
    await close();
  }
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function row(name: string, times: number[]): string {
  return `| ${name} | ${median(times).toFixed(0)} | ${Math.max(...times).toFixed(0)} |`;
}

export async function benchPanel(): Promise<void> {
  const scale = Number(process.argv[3] ?? 1_000_000);
  const data = await prepareActivity(scale);
  const service = await startServiceUnderTest(
    'api,web',
    { CHASQUI_DATA_DIR: data.data_dir },
    { caller: data.sender },
  );
  const found = await launchBrowser();
  try {
    if ('missing' in found) throw new Error(found.missing);
    const login = {
      email: `bench-${randomBytes(4).toString('hex')}@example.com`,
      password: randomBytes(12).toString('hex'),
    };
    const account = ['--email', login.email, '--password', login.password];
    await service.command('user', 'create', ...account, '--instance', data.slug, '--role', 'developer');
    const measured: Times[] = [];
    // The first one compiles and connects.
    await measure(found.browser, service.base_url, login);
    for (let round = 0; round < rounds; round += 1) {
      measured.push(await measure(found.browser, service.base_url, login));
    }
    const lines = [
      `${scale} mails, signed in to the instance with half of them. ${rounds} rounds, each with an empty browser cache; milliseconds by the clock of the browser. The target is ${targetMs} ms.`,
      '',
      '| | median ms | slowest ms |',
      '|---|---|---|',
      row(
        'sign in → figures of the overview',
        measured.map(({ overview }) => overview),
      ),
      row(
        'Mails → first row',
        measured.map(({ mails }) => mails),
      ),
    ];
    console.log(lines.join('\n'));
    keepResults(`panel, ${scale / 1_000_000} million mails`, lines);
  } finally {
    if ('browser' in found) await found.browser.close();
    await service.stop();
  }
}
