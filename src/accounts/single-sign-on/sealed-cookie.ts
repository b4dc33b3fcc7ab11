import type { RootSecret } from '../../base/secrets.ts';
import type { Checks, Identity } from './provider.ts';

/** What a sign-in under way has to remember, in the browser that began it and sealed: nothing is stored for strangers. */
export type Pending =
  | { step: 'provider'; checks: Checks }
  /** The provider said who it is; the account asks for more. */
  | { step: 'password' | 'code'; identity: Identity; email: string };

const plainName = 'chasqui_single_sign_on';
const plainPath = '/v1/private/auth/single-sign-on';
const use = 'single-sign-on';
const lifetimeMs = 10 * 60_000;
const maxLength = 4_096;

export class SealedCookie {
  readonly #secret: RootSecret;
  readonly #isSecure: boolean;
  readonly #name: string;

  constructor(secret: RootSecret, base_url: string) {
    this.#secret = secret;
    this.#isSecure = base_url.startsWith('https:');
    // No sibling subdomain can set one (RFC 6265bis §4.1.3.2).
    this.#name = this.#isSecure ? `__Host-${plainName}` : plainName;
  }

  /** Value of `Set-Cookie`. */
  write(pending: Pending, now: Date): string {
    const text = JSON.stringify({ ...pending, expires_at: now.getTime() + lifetimeMs });
    const value = this.#secret.encrypt(use, Buffer.from(text), use).toString('base64url');
    return this.#cookie(value, lifetimeMs / 1000);
  }

  clear(): string {
    return this.#cookie('', 0);
  }

  /** Undefined where there is none, more than one, one that was not sealed here, or one that expired. */
  read(header: string | undefined, now: Date): Pending | undefined {
    const values = (header ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${this.#name}=`))
      .map((pair) => pair.slice(this.#name.length + 1));
    const [value = ''] = values;
    if (values.length !== 1 || value.length > maxLength || !/^[\w-]{40,}$/.test(value)) return undefined;
    const { expires_at, ...pending } = this.#open(value) ?? { expires_at: 0 };
    return expires_at > now.getTime() ? (pending as Pending) : undefined;
  }

  #open(value: string): (Pending & { expires_at: number }) | undefined {
    try {
      const text = this.#secret.decrypt(use, Buffer.from(value, 'base64url'), use).toString();
      return JSON.parse(text) as Pending & { expires_at: number };
    } catch {
      // It was sealed with another key, or is forged.
      return undefined;
    }
  }

  #cookie(value: string, max_age_seconds: number): string {
    const scope = this.#isSecure ? 'Path=/; Secure' : `Path=${plainPath}`;
    return `${this.#name}=${value}; ${scope}; Max-Age=${max_age_seconds}; HttpOnly; SameSite=Strict`;
  }
}
