import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import type { RootSecret } from '../../base/secrets.ts';

/** This installation as authenticators know it (WebAuthn §5.1.2). */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** Undefined where browsers offer no passkeys: by plain HTTP, but for this machine, and at an address without a name. */
export function relyingParty(base_url: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(base_url);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  return isName && (protocol === 'https:' || isLocal) ? { id: hostname, origin } : undefined;
}

/** What an authenticator knows a user by; it says nothing about the person (WebAuthn §14.6.1). */
export function userHandle(secret: RootSecret, userId: number): string {
  return createHmac('sha256', secret.deriveKey('webauthn-user')).update(String(userId)).digest('base64url');
}
