import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ConsentPurpose, ConsentTerm, ConsentTermVersion } from '../../api/operations.ts';
import { useApi } from '../../parts/app/use-api.ts';

export const channels = ['mail', 'sms', 'wsp', 'call', 'push'] as const;
export type Channel = (typeof channels)[number];

export const currentOf = ({ versions }: ConsentTerm): ConsentTermVersion | undefined =>
  versions.find(({ is_current }) => is_current);

/** Terms and purposes, the first hundred of each, and their names by identifier. */
export function useCatalogue() {
  const api = useApi();
  const query = { page_size: 100 };
  const terms = useQuery({ ...api.read('panel_list_consent_terms', { query }), staleTime: 60_000 });
  const purposes = useQuery({ ...api.read('panel_list_consent_purposes', { query }), staleTime: 60_000 });
  return useMemo(() => {
    const allTerms: ConsentTerm[] = terms.data?.data ?? [];
    const allPurposes: ConsentPurpose[] = purposes.data?.data ?? [];
    const termOf = (id: number) => allTerms.find((each) => each.id === id);
    return {
      terms: allTerms,
      purposes: allPurposes,
      isLoaded: terms.data !== undefined && purposes.data !== undefined,
      purposeName: (id: number) => allPurposes.find((each) => each.id === id)?.name ?? `#${id}`,
      termName: (id: number) => termOf(id)?.name ?? `#${id}`,
      versionName: ({ term_id, term_version_id }: { term_id: number; term_version_id: number }) =>
        termOf(term_id)?.versions.find(({ id }) => id === term_version_id)?.version ?? `#${term_version_id}`,
    };
  }, [terms.data, purposes.data]);
}
