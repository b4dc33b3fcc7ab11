import { RootSecret } from '../../base/secrets.ts';
import { MailTokens, type TokenUse } from '../../mails/mail-token.ts';
import type { TestService } from '../../../test/support/test-service.ts';

/** Tokens as the service under test makes them. */
export const tokens = new MailTokens(new RootSecret('a root secret for tests, and for tests alone'));

const paths: Record<Exclude<TokenUse, 'bounce' | 'reply'>, string> = {
  unsubscribe: 'u',
  report: 'report',
  view: 'view',
};

/** The address of a page about a mail. */
export function pageUrl({ base_url }: TestService, use: keyof typeof paths, mail_id: string): string {
  return `${base_url}/${paths[use]}/${tokens.make(use, mail_id)}`;
}
