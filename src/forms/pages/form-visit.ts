import type { FastifyRequest } from 'fastify';
import type { HostedPage } from '../../base/http/hosted-page.ts';
import type { Clock } from '../../base/clock.ts';
import type { RootSecret } from '../../base/secrets.ts';
import type { SharedBuckets } from '../../limits/index.ts';
import { withRightsLink } from '../../track/index.ts';
import type { SubmissionEvidence } from '../submit-form.ts';
import type { UpdateLinks } from '../ask-update.ts';
import type { TakingContext } from '../take-submission.ts';

export interface FormPagesContext extends Omit<TakingContext, 'hashes' | 'tokens' | 'base_url'> {
  clock: Clock;
  secret: RootSecret;
  buckets: SharedBuckets;
  /** The path of the page for privacy requests of an instance. */
  rightsPathOf?: (instanceId: number) => string;
}

export interface Context extends FormPagesContext, TakingContext, UpdateLinks {
  base_url: string;
  /** Starts what may not be waited for. */
  afterAnswer: (work: () => Promise<void>) => void;
}

export type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

/** Evidence of the request, for the consent record. */
export function evidenceOf({ ip, headers }: FastifyRequest, clock: Clock): SubmissionEvidence {
  return { address: ip, user_agent: headers['user-agent'] ?? null, at: clock.now() };
}

/** Query of a framed page, with the colours of the page around it; redirects keep both. */
export const framed = 'embed';

export function frameOf(query: URLSearchParams): Pick<HostedPage, 'is_framed' | 'scheme'> {
  const scheme = query.get('scheme');
  const is_framed = query.has(framed);
  return { is_framed, scheme: is_framed && (scheme === 'light' || scheme === 'dark') ? scheme : undefined };
}

export function queryOf({ url }: TokenRequest): URLSearchParams {
  return new URL(url, 'http://localhost').searchParams;
}

/** With a link to the page for privacy requests of the instance. */
export function withRights(
  { base_url, rightsPathOf }: Context,
  { instance_id }: { instance_id: number },
  page: HostedPage,
): HostedPage {
  return withRightsLink(page, rightsPathOf && `${base_url}${rightsPathOf(instance_id)}`);
}
