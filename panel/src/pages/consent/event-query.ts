import { useMemo } from 'react';
import type { Filter } from '../../parts/filter-bar.tsx';
import { datesOf } from '../../parts/range.ts';
import { useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { channels, useCatalogue } from './catalogue.ts';

const statuses = ['confirmed', 'pending', 'expired'] as const;
const actions = ['allow', 'deny'] as const;

/** What the address asks for, as the list and the export take it. */
export function useEventQuery() {
  const { timezone } = useInstance();
  const [state] = useUrlState();
  return useMemo(() => {
    const { contact, range, term_id, purpose_id } = state;
    return {
      contact,
      term_id: numberOf(term_id),
      purpose_id: numberOf(purpose_id),
      status: statuses.find((each) => each === state['status']),
      action: actions.find((each) => each === state['action']),
      channel: channels.find((each) => each === state['channel']),
      ...(range === undefined ? {} : datesOf(range, timezone)),
      tz: timezone,
    };
  }, [state, timezone]);
}

const numberOf = (text: string | undefined): number | undefined => Number(text) || undefined;

export function useEventFilters(): Filter[] {
  const t = useMessages('consent');
  const values = useMessages('consent_values');
  const { terms, purposes } = useCatalogue();
  const named = (each: { id: number; name: string }) => ({ value: String(each.id), label: each.name });
  const labelled = <Value extends string>(all: readonly Value[], labels: Record<Value, string>) =>
    all.map((value) => ({ value, label: labels[value] }));
  return [
    { kind: 'text', name: 'contact', label: t.contact_exact },
    { kind: 'select', name: 'action', label: t.action, options: labelled(actions, values.actions) },
    { kind: 'select', name: 'status', label: t.status, options: labelled(statuses, values.statuses) },
    { kind: 'range', name: 'range', label: t.range, initial: '' },
    { kind: 'select', name: 'term_id', label: t.term, options: terms.map(named), more: true },
    {
      kind: 'select',
      name: 'purpose_id',
      label: t.purpose,
      options: purposes.map(named),
      more: true,
    },
    {
      kind: 'select',
      name: 'channel',
      label: t.channel,
      options: labelled(channels, values.channels),
      more: true,
    },
  ];
}
