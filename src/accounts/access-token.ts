import { createSecretKey } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { RootSecret } from '../base/secrets.ts';

interface AccessClaims {
  user_id: number;
  session_id: string;
}

export interface AccessTokens {
  issue(claims: AccessClaims, sessionExpiresAt: Date): Promise<{ access_token: string; expires_in: number }>;
  /** Undefined unless it is a valid, unexpired token of ours. */
  read(token: string): Promise<AccessClaims | undefined>;
}

const accessLifetimeSeconds = 15 * 60;

const algorithm = 'HS256';
const issuer = 'chasqui';
const audience = 'chasqui-panel';
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** JWTs for the panel. The algorithm is fixed, never taken from the token (RFC 8725 §3.1). */
export function createAccessTokens(secret: RootSecret, clock: Clock): AccessTokens {
  const key = createSecretKey(secret.deriveKey('panel-access'));
  return {
    async issue({ user_id, session_id }, sessionExpiresAt) {
      const now = Math.floor(clock.now().getTime() / 1000);
      const left = Math.floor(sessionExpiresAt.getTime() / 1000) - now;
      const expires_in = Math.min(accessLifetimeSeconds, left);
      const { SignJWT } = await import('jose');
      const access_token = await new SignJWT({ sid: session_id })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(String(user_id))
        .setIssuedAt(now)
        .setExpirationTime(now + expires_in)
        .sign(key);
      return { access_token, expires_in };
    },
    async read(token) {
      const { errors, jwtVerify } = await import('jose');
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [algorithm],
          issuer,
          audience,
          requiredClaims: ['exp', 'iat', 'sub', 'sid'],
          currentDate: clock.now(),
        });
        return claimsOf(payload.sub, payload['sid']);
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

function claimsOf(sub: unknown, sid: unknown): AccessClaims | undefined {
  const user_id = Number(sub);
  if (!Number.isSafeInteger(user_id) || typeof sid !== 'string' || !uuid.test(sid)) return undefined;
  return { user_id, session_id: sid };
}
