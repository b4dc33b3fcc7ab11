import { validationProblem } from '../base/errors/problem.ts';
import type { NewApiKey } from './api-keys.ts';
import type { NewApiKey as ApiKeyBody } from './credential-schemas.ts';

/** The key that a body asks for. */
export function readApiKey(body: ApiKeyBody, now: Date): NewApiKey {
  const { name, scopes = [], ip_allowlist = [], sandbox_only = false, external_id = null } = body;
  return {
    name,
    scopes,
    ip_allowlist,
    sandbox_only,
    external_id,
    expires_at: readExpiry(body.expires_at, now),
  };
}

/** The schema checks the format; the expiry must also be in the future. */
export function readExpiry(text: string | null | undefined, now: Date): Date | null {
  if (text === undefined || text === null) return null;
  const expires_at = new Date(text);
  if (expires_at > now) return expires_at;
  const message = 'This should be in the future';
  throw validationProblem([{ pointer: '/expires_at', code: 'value_error.date_time', message }]);
}
