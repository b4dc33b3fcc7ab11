import type { Filter } from '../../parts/filter-bar.tsx';
import { datesOf, type DateSpan } from '../../parts/range.ts';
import { useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';

/** The range of the address, which figures of the overview lead here with. None is all days. */
export function useDates(): { dates: Partial<DateSpan>; filter: Filter } {
  const t = useMessages('parts');
  const { timezone } = useInstance();
  const [{ range }] = useUrlState();
  return {
    dates: range === undefined ? {} : datesOf(range, timezone),
    filter: { kind: 'range', name: 'range', label: t.range, initial: '' },
  };
}
