import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Provider from 'oidc-provider';

/** Who is signed in at the provider. */
export interface Persona {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface SignInProvider {
  issuer: string;
  client_id: string;
  client_secret: string;
  /** Whom it signs in from now on, without asking. */
  persona: Persona;
  /** As a browser: from the address of `begin` to the query of the address it is sent back to. */
  walk(url: string): Promise<string>;
  stop(): Promise<void>;
}

const client_id = 'chasqui';
const client_secret = 'a secret for the tests of single sign-on';

interface GrantContext {
  oidc: {
    provider: Provider;
    session: { accountId: string };
  };
}

/** A real OpenID provider (npm oidc-provider) on loopback. Its people need no password. */
export async function startSignInProvider(redirect_uri: string): Promise<SignInProvider> {
  const { default: OidcProvider } = await import('oidc-provider');
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, Persona>();
  const running: SignInProvider = {
    issuer,
    client_id,
    client_secret,
    persona: { sub: 'nobody' },
    async walk(start) {
      const jar = new Map<string, string>();
      for (let url = start, hops = 0; hops < 10; hops += 1) {
        const answer = await fetch(url, { redirect: 'manual', headers: { cookie: cookies(jar) } });
        for (const each of answer.headers.getSetCookie()) {
          const [name = '', value = ''] = (each.split(';')[0] ?? '').split(/=(.*)/);
          jar.set(name, value);
        }
        const location = answer.headers.get('location');
        if (location === null) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`);
        url = new URL(location, url).href;
        if (url.startsWith(redirect_uri)) return new URL(url).search.slice(1);
      }
      throw new Error('too many redirects');
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const provider = new OidcProvider(issuer, {
    clients: [{ client_id, client_secret, redirect_uris: [redirect_uri] }],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key for the cookies of tests'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => people.get(sub) }),
    loadExistingGrant: async ({ oidc }: GrantContext) => {
      const grant = new oidc.provider.Grant({ clientId: client_id, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  handle = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response);
    const { sub } = running.persona;
    people.set(sub, running.persona);
    void provider.interactionFinished(request, response, { login: { accountId: sub } });
  };
  return running;
}

function cookies(jar: ReadonlyMap<string, string>): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
}
