import type * as OpenidClient from 'openid-client';
import { cachedFor } from '../../base/cached-for.ts';
import { boundedFetch } from './bounded-fetch.ts';

export interface ProviderSettings {
  issuer: string;
  client_id: string;
  /** Undefined: a public client, which PKCE protects. */
  client_secret: string | undefined;
  /** On the button. */
  name: string;
  creates_accounts: boolean;
}

/** A person as the provider tells it. */
export interface Identity {
  issuer: string;
  subject: string;
  email: string | undefined;
  is_email_verified: boolean;
  name: string;
}

/** What ties an answer of the provider to the request that this browser made. */
export interface Checks {
  state: string;
  nonce: string;
  verifier: string;
}

/** The provider cannot be used now: it does not answer, or its documents are not as they must be. */
export class ProviderUnavailable extends Error {}

/** What came back from the provider does not sign anybody in. */
export class ProviderRefusal extends Error {}

export interface Provider {
  readonly settings: ProviderSettings;
  begin(): Promise<{ url: string; checks: Checks }>;
  /** `query`: what the provider added to the address it sent the browser back to. */
  finish(query: string, checks: Checks): Promise<Identity>;
  /** Throws its problem, or that of its registration of us. */
  examine(): Promise<string>;
}

const timeoutSeconds = 5;
const discoveryMs = 3_600_000;
const maxSubject = 255;

export function redirectUri(base_url: string): string {
  return `${base_url}/panel/single-sign-on`;
}

/** One provider of the operator's choice (OpenID Connect Core 1.0, authorization code flow with PKCE). */
export function createProvider(settings: ProviderSettings, base_url: string): Provider {
  const { issuer, client_id, client_secret } = settings;
  const redirect_uri = redirectUri(base_url);

  async function discover(): Promise<{ client: typeof OpenidClient; config: OpenidClient.Configuration }> {
    const client = await import('openid-client');
    const config = await client
      .discovery(
        new URL(issuer),
        client_id,
        undefined,
        client_secret === undefined ? client.None() : authenticationOf(client, client_secret),
        {
          [client.customFetch]: boundedFetch,
          timeout: timeoutSeconds,
          execute: [
            // The signature of the ID token is verified though it comes over TLS.
            client.enableNonRepudiationChecks,
            // Only for loopback: the configuration refuses every other http issuer.
            ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
          ],
        },
      )
      .catch((error: unknown) => {
        throw new ProviderUnavailable(describe(error));
      });
    return { client, config };
  }
  const known = cachedFor(discoveryMs, discover);

  return {
    settings,
    async begin() {
      const { client, config } = await known();
      const checks = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri,
        scope: 'openid email profile',
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, checks };
    },
    async finish(query, checks) {
      const { client, config } = await known();
      try {
        const tokens = await client.authorizationCodeGrant(config, new URL(`${redirect_uri}?${query}`), {
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          pkceCodeVerifier: checks.verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new ProviderRefusal('no ID token');
        const hasEmail = typeof claims['email'] === 'string';
        const info =
          hasEmail || config.serverMetadata().userinfo_endpoint === undefined
            ? claims
            : await client.fetchUserInfo(config, tokens.access_token, claims.sub);
        return identityOf(claims.iss, claims.sub, info);
      } catch (error) {
        if (error instanceof ProviderRefusal) throw error;
        const isOutage = isUnreachable(error, client);
        throw isOutage ? new ProviderUnavailable(describe(error)) : new ProviderRefusal(describe(error));
      }
    },
    async examine() {
      const { client, config } = await discover();
      const server = config.serverMetadata();
      requireAbilities(server);
      await requireKeys(server);
      // A code that was not issued: a provider that knows the client says that the code is wrong, not the client.
      await client
        .authorizationCodeGrant(config, new URL(`${redirect_uri}?code=chasqui-doctor${issOf(server)}`), {
          pkceCodeVerifier: client.randomPKCECodeVerifier(),
        })
        .catch((error: unknown) => requireKnownClient(error, client));
      return `${issuer} answers and knows ${client_id}; its redirect URI must be ${redirect_uri}`;
    },
  };
}

/** By the method that the provider asks for first of those we have: its metadata is read when it is used. */
function authenticationOf(client: typeof OpenidClient, secret: string): OpenidClient.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (...request) => {
    const [{ token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }] = request;
    const authenticate = methods.includes('client_secret_basic') ? basic : post;
    authenticate(...request);
  };
}

function issOf(server: OpenidClient.ServerMetadata): string {
  return server.authorization_response_iss_parameter_supported
    ? `&iss=${encodeURIComponent(server.issuer)}`
    : '';
}

function identityOf(issuer: string, subject: string, info: Record<string, unknown>): Identity {
  if (subject.length === 0 || subject.length > maxSubject)
    throw new ProviderRefusal('the subject is too long');
  const { email, email_verified, xms_edov, name } = info;
  return {
    issuer,
    subject,
    email: typeof email === 'string' && email.length <= 254 ? email : undefined,
    // A string says no: "false" is one too. Microsoft says it by a claim of its own, as true or 1.
    is_email_verified:
      email_verified === true || (email_verified === undefined && (xms_edov === true || xms_edov === 1)),
    name: typeof name === 'string' ? name.trim().slice(0, 255) : '',
  };
}

function requireAbilities(server: OpenidClient.ServerMetadata): void {
  const { authorization_endpoint, token_endpoint, jwks_uri, code_challenge_methods_supported: pkce } = server;
  for (const [name, value] of Object.entries({ authorization_endpoint, token_endpoint, jwks_uri })) {
    if (value === undefined) throw new ProviderUnavailable(`its discovery document has no ${name}`);
  }
  if (pkce !== undefined && !pkce.includes('S256'))
    throw new ProviderUnavailable('it does not support PKCE with S256');
}

async function requireKeys({ jwks_uri = '' }: OpenidClient.ServerMetadata): Promise<void> {
  const signal = AbortSignal.timeout(timeoutSeconds * 1000);
  const answer = await boundedFetch(jwks_uri, {
    method: 'GET',
    headers: {},
    body: undefined,
    redirect: 'manual',
    signal,
  }).catch((error: unknown) => {
    throw new ProviderUnavailable(`its keys cannot be read: ${describe(error)}`);
  });
  const keys = answer.ok
    ? ((await answer.json().catch(() => undefined)) as { keys?: unknown[] } | undefined)?.keys
    : [];
  if (!Array.isArray(keys) || keys.length === 0)
    throw new ProviderUnavailable(`there are no keys at ${jwks_uri}`);
}

function requireKnownClient(error: unknown, client: typeof OpenidClient): void {
  if (isUnreachable(error, client)) throw new ProviderUnavailable(describe(error));
  const isUnknown =
    (error instanceof client.ResponseBodyError &&
      ['invalid_client', 'unauthorized_client'].includes(error.error)) ||
    error instanceof client.WWWAuthenticateChallengeError;
  if (isUnknown) throw new ProviderRefusal(`it refuses the client id or its secret: ${describe(error)}`);
}

function isUnreachable(error: unknown, client: typeof OpenidClient): boolean {
  if (error instanceof client.ResponseBodyError) return error.status >= 500;
  if (!(error instanceof client.ClientError)) return error instanceof TypeError;
  return ['OAUTH_TIMEOUT', 'OAUTH_ABORT', undefined].includes(error.code);
}

/** With the reason below it: "something went wrong" does not help. */
function describe(error: unknown): string {
  const { message, cause } = error as Error;
  const why = cause instanceof Error ? describe(cause) : '';
  const description = (error as { error_description?: unknown }).error_description;
  return [message, typeof description === 'string' ? description : '', why]
    .filter(Boolean)
    .join(': ')
    .slice(0, 500);
}
