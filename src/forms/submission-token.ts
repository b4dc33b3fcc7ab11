import { IdTokens } from '../base/id-tokens.ts';
import type { RootSecret } from '../base/secrets.ts';

/** Identifies a submission in its confirmation link. */
export class SubmissionTokens extends IdTokens {
  constructor(secret: RootSecret) {
    super(secret, 'submission-token confirm');
  }
}
