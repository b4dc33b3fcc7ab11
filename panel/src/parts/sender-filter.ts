import { useQuery } from '@tanstack/react-query';
import { useApi } from '../shell/use-api.ts';
import type { Filter } from './filter-bar.tsx';

/** Of one sender; the first hundred by address are offered. */
export function useSenderFilter(label: string): Filter {
  const api = useApi();
  const { data } = useQuery({
    ...api.read('panel_list_senders', { query: { page_size: 100 } }),
    staleTime: 60_000,
  });
  const options = (data?.data ?? []).map(({ id, email_address }) => ({
    value: String(id),
    label: email_address,
  }));
  return { kind: 'select', name: 'sender_id', label, options, more: true };
}
