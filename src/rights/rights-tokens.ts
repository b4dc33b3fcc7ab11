import { IdTokens } from '../base/id-tokens.ts';
import type { RootSecret } from '../base/secrets.ts';

/** Of the page of an instance, by its id, and of the links that verify a request and lead to its archive, by the request's. */
export function createRightsTokens(secret: RootSecret): {
  page: IdTokens;
  verification: IdTokens;
  archive: IdTokens;
} {
  return {
    page: new IdTokens(secret, 'rights-token page'),
    verification: new IdTokens(secret, 'rights-token verify'),
    archive: new IdTokens(secret, 'rights-token archive'),
  };
}
