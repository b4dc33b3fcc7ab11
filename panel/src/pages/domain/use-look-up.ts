import { useQuery } from '@tanstack/react-query';
import type { DnsRecord, DomainInDns, LookedUpRecord, Domain } from '../../api/operations.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { checkNames, stateOf, type CheckName } from '../domains/domain-state.tsx';
import { recordsOf } from './records-of.ts';

const every_ms = 30_000;

/** What DNS says while the page is open. It verifies nothing: only a validation does. */
export function useLookUp(domain: Domain) {
  const api = useApi();
  const isDone = (looked: DomainInDns | undefined): boolean =>
    domain.is_verified && looked?.all_found === true;
  return useQuery({
    ...api.read('panel_look_up_domain_records', { params: { id: domain.id } }),
    enabled: !domain.is_sandbox,
    retry: false,
    // Hidden pages ask nothing, and neither do pages on which nothing is awaited.
    refetchInterval: ({ state }) => (isDone(state.data) ? false : every_ms),
  });
}

export interface ShownRecord extends DnsRecord {
  purpose: CheckName;
  /** As the look-up tells it. */
  name?: string;
  status: LookedUpRecord['status'] | 'pending';
  problem: LookedUpRecord['problem'];
  /** What the last validation said, where there is no look-up. */
  reason: string | null;
  found: string[];
  found_at: string | null;
  suggested_value: string | null;
}

/** The records of the look-up; until there is one, with the states of the last validation. */
export function shownRecords(domain: Domain, looked: DomainInDns | undefined): ShownRecord[] {
  if (looked) return looked.records;
  return checkNames.flatMap((purpose) =>
    recordsOf(domain, purpose).map((record) => ({
      ...record,
      purpose,
      status: stateOf(domain, purpose) === 'verified' ? ('found' as const) : ('pending' as const),
      problem: null,
      reason: domain.check_reasons[purpose] ?? null,
      found: [],
      found_at: null,
      suggested_value: null,
    })),
  );
}
