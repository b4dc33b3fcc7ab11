import { useMemo } from 'react';
import type { Filter } from '../../parts/filter-bar.tsx';
import { datesOf } from '../../parts/range.ts';
import { useSenderFilter } from '../../parts/sender-filter.ts';
import { useInstance } from '../../shell/instance.tsx';
import { useWords } from '../../shell/languages.ts';
import { useUrlState } from '../../shell/url-state.ts';
import { words } from './words.ts';

export const initial_range = '30d';
const groupings = ['mail_id', 'msg_id'] as const;
export type Grouping = (typeof groupings)[number] | 'none';
const bounceTypes = ['hard', 'soft', 'block'] as const;

/** What the address asks for, as the operations take it. */
export function useActivityQuery() {
  const { timezone } = useInstance();
  const [state] = useUrlState();
  return useMemo(() => {
    const { range = initial_range, recipient, subject, sender_id, msg_id, custom_group_code } = state;
    const common = {
      ...datesOf(range, timezone),
      recipient,
      // Part of an address is its beginning.
      recipient_operator: recipient?.includes('@') === false ? ('starts_with' as const) : undefined,
      subject,
      sender_id: sender_id === undefined ? undefined : Number(sender_id),
      msg_id,
      custom_group_code,
    };
    const grouping: Grouping = groupings.find((each) => each === state['group_by']) ?? 'none';
    return {
      common,
      page: Number(state['page'] ?? 1),
      range,
      grouping,
      engagement: { group_by: grouping, include_machine: state['machine'] === 'shown' ? true : undefined },
      type: bounceTypes.find((each) => each === state['type']),
    };
  }, [state, timezone]);
}

/** The filters that all three lists have, with those of one after the range. */
export function useActivityFilters(own: Filter[]): Filter[] {
  const t = useWords(words);
  const more = (name: 'msg_id' | 'custom_group_code'): Filter => ({
    kind: 'text',
    name,
    label: t[name],
    more: true,
  });
  return [
    { kind: 'range', name: 'range', label: t.range, initial: initial_range },
    { kind: 'text', name: 'recipient', label: t.recipient },
    ...own,
    { kind: 'text', name: 'subject', label: t.subject, more: true },
    useSenderFilter(t.sender),
    more('msg_id'),
    more('custom_group_code'),
  ];
}

/** Of opens and clicks. */
export function useEngagementFilters(): Filter[] {
  const t = useWords(words);
  return useActivityFilters([
    {
      kind: 'select',
      name: 'group_by',
      label: t.grouping,
      unset: t.groupings.none,
      options: groupings.map((value) => ({ value, label: t.groupings[value] })),
    },
    {
      kind: 'select',
      name: 'machine',
      label: t.machine,
      unset: t.machine_hidden,
      options: [{ value: 'shown', label: t.machine_shown }],
    },
  ]);
}

/** Of bounces. */
export function useBounceFilters(): Filter[] {
  const t = useWords(words);
  return useActivityFilters([
    {
      kind: 'select',
      name: 'type',
      label: t.type,
      options: bounceTypes.map((value) => ({ value, label: t.types[value] })),
    },
  ]);
}
