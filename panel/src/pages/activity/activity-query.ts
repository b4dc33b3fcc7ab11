import { useMemo } from 'react';
import type { Filter } from '../../parts/filter-bar.tsx';
import {
  useCategoryFilter,
  useGroupFilter,
  useSenderFilter,
  useTagFilter,
  useTestFilter,
} from '../../parts/mail-filters.ts';
import { mailKindOf, tagOf, testModeOf } from '../../parts/mail-kind.ts';
import { datesOf } from '../../parts/range.ts';
import { useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';

export const initialRange = '30d';
const groupings = ['mail_id', 'msg_id'] as const;
export type Grouping = (typeof groupings)[number] | 'none';
const bounceTypes = ['hard', 'soft', 'block'] as const;

/** What the address asks for, as the operations take it. */
export function useActivityQuery() {
  const { timezone } = useInstance();
  const [state] = useUrlState();
  return useMemo(() => {
    const { range = initialRange, recipient, subject, msg_id } = state;
    const common = {
      ...datesOf(range, timezone),
      recipient,
      // Part of an address is its beginning.
      recipient_operator: recipient?.includes('@') === false ? ('starts_with' as const) : undefined,
      subject,
      ...mailKindOf(state),
      tag: tagOf(state),
      test_mode: testModeOf(state),
      msg_id,
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
  const t = useMessages('activity');
  const [{ category }] = useUrlState();
  return [
    { kind: 'range', name: 'range', label: t.range, initial: initialRange },
    { kind: 'text', name: 'recipient', label: t.recipient },
    ...own,
    { kind: 'text', name: 'subject', label: t.subject, more: true },
    useSenderFilter(),
    useCategoryFilter(category),
    useGroupFilter(),
    useTagFilter(),
    useTestFilter(),
    { kind: 'text', name: 'msg_id', label: t.msg_id, more: true },
  ];
}

/** Of opens and clicks. */
export function useEngagementFilters(): Filter[] {
  const t = useMessages('activity');
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
  const t = useMessages('activity');
  return useActivityFilters([
    {
      kind: 'select',
      name: 'type',
      label: t.type,
      options: bounceTypes.map((value) => ({ value, label: t.types[value] })),
    },
  ]);
}
