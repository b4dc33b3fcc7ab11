import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { launchBrowser } from '../support/browser.ts';
import { createLogin } from '../support/panel-user.ts';
import { startSignInProvider, type SignInProvider } from '../support/sign-in-provider.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { assertAccessible, panelFor, settled, type FoundBrowser } from './panel.fixture.ts';

let provider: SignInProvider;
let service: TestService;
let tenant: Tenant;
let found: FoundBrowser;
before(async () => {
  found = await launchBrowser();
  // The provider sends the browser back to the configured address.
  const port = await freePort();
  const base_url = `http://localhost:${port}`;
  provider = await startSignInProvider(`${base_url}/panel/single-sign-on`);
  service = await startTestService({
    roles: 'api,web',
    env: {
      CHASQUI_HTTP_PORT: String(port),
      CHASQUI_HOST: 'localhost',
      CHASQUI_BASE_URL: base_url,
      CHASQUI_OIDC_ISSUER: provider.issuer,
      CHASQUI_OIDC_CLIENT_ID: provider.client_id,
      CHASQUI_OIDC_CLIENT_SECRET: provider.client_secret,
      CHASQUI_OIDC_NAME: 'Acme',
    },
  });
  tenant = await service.tenant();
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
  await provider.stop();
});

const here = () => ({ found, base_url: service.base_url });

test('a person links the account with its password once, and is signed in by the provider from then on', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  const login = await createLogin(service, tenant, 'developer');
  provider.persona = { sub: 'ana', email: login.email, email_verified: true };
  const place = `/panel/i/${tenant.instance.slug}/api-keys?page=1`;
  await page.goto(place);
  await page.getByRole('button', { name: 'Continue with Acme' }).waitFor();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Continue with Acme' }).click();
  await page.getByRole('heading', { name: 'Link your account' }).waitFor();
  assert.equal(new URL(page.url()).search, '', 'the code has left the address');
  await assertAccessible(page);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('The password is wrong.').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(login.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`**${place}`);
  await page.goto('/panel/account');
  const links = page.getByRole('list', { name: 'Linked sign-ins' });
  await links.getByText(login.email).waitFor();
  await settled(page);
  await assertAccessible(page);

  const other = await panelFor(t, here());
  if (!other) return;
  await other.page.goto('/panel/');
  await other.page.getByRole('button', { name: 'Continue with Acme' }).click();
  await other.page.waitForURL(`**/panel/i/${tenant.instance.slug}`);
  assert.deepEqual(
    [...browserErrors, ...other.browserErrors].filter(
      (each) => !/^loaded http:\/\/127\.0\.0\.1|status of 401/.test(each),
    ),
    [],
  );
});

test('a refused user is told why, and the link back never leads to another site', async (t) => {
  const panel = await panelFor(t, here(), { locale: 'es-CL' });
  if (!panel) return;
  const { page } = panel;
  provider.persona = { sub: 'stranger', email: 'stranger@acme.test', email_verified: true };
  await page.goto('/panel/sign-in?back=https://evil.test/');
  await page.getByRole('button', { name: 'Continuar con Acme' }).click();
  await page.getByText(/No encontramos una cuenta con tu correo\./).waitFor();
  await page.getByRole('link', { name: 'Volver al inicio de sesión' }).click();
  await page.getByRole('button', { name: 'Continuar con Acme' }).waitFor();

  // A browser that the provider does not know yet.
  const other = await panelFor(t, here(), { locale: 'es-CL' });
  if (!other) return;
  const login = await createLogin(service, tenant, 'viewer');
  provider.persona = { sub: 'pedro', email: login.email, email_verified: true };
  await other.page.goto('/panel/sign-in?back=https://evil.test/');
  await other.page.getByRole('button', { name: 'Continuar con Acme' }).click();
  await other.page.getByLabel('Contraseña', { exact: true }).fill(login.password);
  await other.page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await other.page.waitForURL(`${service.base_url}/panel/i/${tenant.instance.slug}`);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
