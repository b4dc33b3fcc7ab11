import type { Reason } from '../../events/index.ts';
import type { Route } from './router.ts';
import type { ClassifyContext, Verdict } from '../../protocol/classify/classify.ts';

type Unroutable = Exclude<Route, { kind: 'hosts' }>;

export interface RouteVerdict {
  verdict: Exclude<Verdict<Reason>, { verdict: 'sent' }>;
  /** RFC 3463 status for logs and bounces. */
  enhanced: string;
}

const statusOf: Record<string, string> = {
  rejects_mail: '1.10', // RFC 7505 §4.2
  domain_not_found: '1.2',
  no_mail_host: '1.2',
  address_literal: '1.3',
  bad_domain: '1.3',
  mx_without_address: '4.4',
  mx_not_public: '4.4',
  loops_to_us: '4.6',
};

/** The verdict on a mail for which no host was found. */
export function classifyRoute(route: Unroutable, context: ClassifyContext): RouteVerdict {
  const reason = reasonOf(route);
  const status = statusOf[reason] ?? '4.3';
  const isFinal = route.kind === 'rejects_mail' || (route.kind === 'no_route' && route.permanent);
  if (isFinal || context.last_attempt) {
    const type = isFinal ? 'hard' : 'soft';
    return { verdict: { verdict: 'bounced', type, reason, throttled: false }, enhanced: `5.${status}` };
  }
  const verdict = { verdict: 'deferred', reason, throttled: false, if_expired: 'soft' } as const;
  return { verdict, enhanced: `4.${status}` };
}

function reasonOf(route: Unroutable): Reason {
  if (route.kind === 'error') return `dns_${route.reason}`;
  return route.kind === 'no_route' ? route.reason : route.kind;
}
