import type { FastifyRequest } from 'fastify';
import type { Acceptance } from '../../accept/index.ts';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import type { Log } from '../../base/log.ts';
import type { RootSecret } from '../../base/secrets.ts';
import type { PlatformMailLimits, SharedBuckets } from '../../limits/index.ts';
import type { SubmissionTokens } from '../submission-token.ts';
import type { SubmissionEvidence } from '../submit-form.ts';

export interface FormPagesContext {
  db: Database;
  clock: Clock;
  log: Log;
  secret: RootSecret;
  buckets: SharedBuckets;
  acceptance: Pick<Acceptance, 'acceptMail'>;
  mail_limits: PlatformMailLimits;
}

export interface Context extends FormPagesContext {
  tokens: SubmissionTokens;
  address: { readonly base_url: string };
}

export type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

/** Evidence of the request, for the consent record. */
export function evidenceOf({ ip, headers }: FastifyRequest, clock: Clock): SubmissionEvidence {
  return { address: ip, user_agent: headers['user-agent'] ?? null, at: clock.now() };
}
