import { IdTokens } from '../base/id-tokens.ts';
import type { RootSecret } from '../base/secrets.ts';

/** Of the page of an instance, by its id, and of the link in the mail that verifies a request, by the request's. */
export function createRightsTokens(secret: RootSecret): { page: IdTokens; verification: IdTokens } {
  return {
    page: new IdTokens(secret, 'rights-token page'),
    verification: new IdTokens(secret, 'rights-token verify'),
  };
}
