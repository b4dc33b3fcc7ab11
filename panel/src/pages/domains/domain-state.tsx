import type { Domain } from '../../api/operations.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMessages } from '../../messages/use-messages.ts';

/** What makes a domain verified. */
export const requiredChecks = ['mx', 'spf', 'dkim', 'dmarc'] as const;
/** Ownership is shown and decides nothing. */
export const checkNames = ['ownership', ...requiredChecks] as const;
export type CheckName = (typeof checkNames)[number];
export type CheckState = 'pending' | 'verified' | 'failed' | 'revoked';

export function stateOf(domain: Domain, name: CheckName): CheckState {
  if (name !== 'ownership') return domain[`${name}_status`];
  if (domain.is_ownership_verified) return 'verified';
  return domain.check_reasons.ownership === undefined ? 'pending' : 'failed';
}

/** The state of a domain as a whole. */
export function DomainState({ domain }: { domain: Domain }) {
  const t = useMessages('domains');
  const states = new Set(requiredChecks.map((name) => stateOf(domain, name)));
  if (domain.is_sandbox) return <StatusBadge tone="quiet">{t.sandbox}</StatusBadge>;
  if (domain.is_revoked_by_operator || states.has('revoked'))
    return <StatusBadge tone="bad">{t.revoked}</StatusBadge>;
  if (states.has('failed')) return <StatusBadge tone="warn">{t.failed}</StatusBadge>;
  return domain.is_verified ? (
    <StatusBadge tone="good">{t.verified}</StatusBadge>
  ) : (
    <StatusBadge tone="info">{t.pending}</StatusBadge>
  );
}
