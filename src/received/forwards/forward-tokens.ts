import { IdTokens } from '../../base/id-tokens.ts';
import type { RootSecret } from '../../base/secrets.ts';

/** Of the link that an address agrees by. */
export function createForwardTokens(secret: RootSecret): IdTokens {
  return new IdTokens(secret, 'forward-token verify');
}
