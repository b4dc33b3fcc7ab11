import { useQuery } from '@tanstack/react-query';
import { useMessages } from '../messages/use-messages.ts';
import { useApi } from './app/use-api.ts';
import type { Filter } from './filter-bar.tsx';

/** The first hundred by address are offered. */
export function useSenderFilter(): Filter {
  const t = useMessages('mail_filters');
  const api = useApi();
  const { data } = useQuery({
    ...api.read('panel_list_senders', { query: { page_size: 100 } }),
    staleTime: 60_000,
  });
  const options = (data?.data ?? []).map(({ id, email_address }) => ({
    value: String(id),
    label: email_address,
  }));
  return { kind: 'select', name: 'sender_id', label: t.sender, options, more: true };
}

export function useDomainFilter(): Filter {
  const t = useMessages('mail_filters');
  const api = useApi();
  const { data } = useQuery({
    ...api.read('panel_list_domains', { query: { page_size: 100 } }),
    staleTime: 60_000,
  });
  const options = (data?.data ?? []).map(({ id, domain }) => ({ value: String(id), label: domain }));
  return { kind: 'select', name: 'domain_id', label: t.domain, options, more: true };
}

export function useSandboxFilter(): Filter {
  const t = useMessages('mail_filters');
  return {
    kind: 'select',
    name: 'sandbox',
    label: t.sandbox,
    options: (['true', 'false'] as const).map((value) => ({ value, label: t.sandboxes[value] })),
    more: true,
  };
}

/** The first hundred by name are offered; a link may name another one. */
export function useCategoryFilter(chosen: string | undefined): Filter {
  const t = useMessages('mail_filters');
  const api = useApi();
  const { data } = useQuery({
    ...api.read('panel_list_categories', { query: { page_size: 100 } }),
    staleTime: 60_000,
  });
  const known = (data?.data ?? []).map(({ category }) => category);
  const all = chosen === undefined || known.includes(chosen) ? known : [chosen, ...known];
  const options = all.map((value) => ({ value, label: value }));
  return { kind: 'select', name: 'category', label: t.category, options, more: true };
}

export function useGroupFilter(): Filter {
  const t = useMessages('mail_filters');
  return { kind: 'text', name: 'custom_group_code', label: t.group, more: true };
}

export function useTagFilter(): Filter {
  const t = useMessages('mail_filters');
  return { kind: 'text', name: 'tag', label: t.tag, placeholder: t.tag_hint, more: true };
}

export function useTestFilter(): Filter {
  const t = useMessages('mail_filters');
  return {
    kind: 'select',
    name: 'test_mode',
    label: t.test,
    options: (['true', 'false'] as const).map((value) => ({ value, label: t.tests[value] })),
    more: true,
  };
}
