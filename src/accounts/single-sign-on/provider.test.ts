import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { startSignInProvider, type SignInProvider } from '../../../test/support/sign-in-provider.ts';
import { createProvider, ProviderRefusal, ProviderUnavailable, type Provider } from './provider.ts';

const base_url = 'http://panel.test';
const client = { client_id: 'chasqui', client_secret: 'hush', name: 'Acme', creates_accounts: false };
let real: SignInProvider;
before(async () => {
  real = await startSignInProvider(`${base_url}/panel/single-sign-on`);
});
after(async () => await real.stop());

interface Lies {
  key?: 'another';
  claims?: Record<string, unknown>;
  discovery?: Record<string, unknown>;
  more?: string;
}

/** A provider of our own, which can lie. `nonce` is the one of the sign-in under way. */
async function lyingProvider(
  t: TestContext,
  lies: Lies,
): Promise<{ provider: Provider; nonce: { value: string } }> {
  const [own, another] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
  const nonce = { value: '' };
  const server = createServer((request, response) => {
    const answer = async (): Promise<object> => {
      if (request.url === '/keys') return { keys: [{ ...(await exportJWK(own.publicKey)), alg: 'RS256' }] };
      if (request.url !== '/token') {
        const metadata = {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          id_token_signing_alg_values_supported: ['RS256'],
          padding: lies.more,
        };
        return { ...metadata, ...lies.discovery };
      }
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: issuer,
        aud: 'chasqui',
        sub: 'ana',
        email: 'ana@acme.test',
        email_verified: true,
      };
      const times = { iat: now, exp: now + 60, nonce: nonce.value };
      const id_token = await new SignJWT({ ...claims, ...times, ...lies.claims })
        .setProtectedHeader({ alg: 'RS256' })
        .sign((lies.key === 'another' ? another : own).privateKey);
      return { access_token: 'a', token_type: 'bearer', id_token };
    };
    void answer().then((body) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => (server.closeAllConnections(), server.close()));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { provider: createProvider({ issuer, ...client }, base_url), nonce };
}

async function entered(t: TestContext, lies: Lies): Promise<unknown> {
  const { provider, nonce } = await lyingProvider(t, lies);
  const { checks } = await provider.begin();
  nonce.value = checks.nonce;
  return await provider.finish(`code=x&state=${checks.state}`, checks);
}

test('the identity is what the ID token says', async (t) => {
  const { subject, email, is_email_verified } = (await entered(t, {})) as Record<string, unknown>;
  assert.deepEqual([subject, email, is_email_verified], ['ana', 'ana@acme.test', true]);
  const person = (await entered(t, { claims: { email_verified: 'true' } })) as Record<string, unknown>;
  assert.equal(person['is_email_verified'], false, 'a text is not a yes');
  const ofMicrosoft = async (claims: object) =>
    ((await entered(t, { claims: { email_verified: undefined, ...claims } })) as Record<string, unknown>)[
      'is_email_verified'
    ];
  assert.deepEqual(
    [await ofMicrosoft({}), await ofMicrosoft({ xms_edov: 1 }), await ofMicrosoft({ xms_edov: '0' })],
    [false, true, false],
  );
});

const forged: [string, Lies][] = [
  ['signed with another key', { key: 'another' }],
  ['for another client', { claims: { aud: 'somebody else' } }],
  ['of another issuer', { claims: { iss: 'https://evil.test' } }],
  ['of another sign-in', { claims: { nonce: 'another' } }],
  ['expired', { claims: { exp: 1_000_000_000 } }],
  ['with a subject longer than it may be', { claims: { sub: 'a'.repeat(256) } }],
];
for (const [what, lies] of forged) {
  test(`refuses an ID token ${what}`, async (t) => {
    await assert.rejects(entered(t, lies), ProviderRefusal);
  });
}

test('a provider that is not as it must be is unavailable', async (t) => {
  const large = await lyingProvider(t, { more: 'x'.repeat(300_000) });
  await assert.rejects(large.provider.begin(), (error: Error) => {
    assert.ok(error instanceof ProviderUnavailable);
    assert.match(error.message, /larger than 262144 bytes/);
    return true;
  });
  const other = await lyingProvider(t, { discovery: { issuer: 'https://evil.test' } });
  await assert.rejects(other.provider.begin(), ProviderUnavailable);
  const gone = createProvider({ issuer: 'http://127.0.0.1:9', ...client }, base_url);
  await assert.rejects(gone.begin(), ProviderUnavailable);
});

test('a request goes to the provider with PKCE, state and nonce, and never twice the same', async () => {
  const provider = createProvider({ issuer: real.issuer, ...client }, base_url);
  const [first, second] = [await provider.begin(), await provider.begin()];
  const { searchParams } = new URL(first.url);
  assert.equal(searchParams.get('redirect_uri'), `${base_url}/panel/single-sign-on`);
  assert.equal(searchParams.get('response_type'), 'code');
  assert.equal(searchParams.get('code_challenge_method'), 'S256');
  assert.deepEqual(
    [searchParams.get('state'), searchParams.get('nonce')],
    [first.checks.state, first.checks.nonce],
  );
  for (const name of ['state', 'nonce', 'verifier'] as const)
    assert.notEqual(first.checks[name], second.checks[name]);
});

test('an examination tells what is wrong with the configuration', async (t) => {
  const { issuer, client_secret } = real;
  const good = await createProvider({ ...client, issuer, client_secret }, base_url).examine();
  assert.match(good, /redirect URI must be http:\/\/panel\.test\/panel\/single-sign-on/);
  const wrong = async (settings: object, message: RegExp): Promise<void> =>
    await assert.rejects(
      createProvider({ ...client, issuer, client_secret, ...settings }, base_url).examine(),
      message,
    );
  await wrong({ client_secret: 'another' }, /refuses the client id or its secret/);
  await wrong({ client_id: 'another' }, /refuses the client id or its secret/);
  await wrong({ issuer: `${issuer}/elsewhere` }, /./);
  await wrong({ issuer: 'http://127.0.0.1:9' }, /fetch failed/);
  const noKeys = await lyingProvider(t, { discovery: { jwks_uri: undefined } });
  await assert.rejects(noKeys.provider.examine(), /no jwks_uri/);
  const noPkce = await lyingProvider(t, { discovery: { code_challenge_methods_supported: ['plain'] } });
  await assert.rejects(noPkce.provider.examine(), /PKCE/);
});
