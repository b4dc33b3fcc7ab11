import { FilterBar } from '../../parts/filter-bar.tsx';
import { useCategoryFilter, useGroupFilter, useSenderFilter } from '../../parts/mail-filters.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { initial_range } from './initial-range.ts';

/** Which days, and whose mail. */
export function Filters() {
  const t = useMessages('overview');
  const [state, change] = useUrlState();
  const filters = [useSenderFilter(), useCategoryFilter(state['category']), useGroupFilter()];
  return (
    <FilterBar
      filters={[
        { kind: 'range', name: 'range', label: t.range, initial: initial_range },
        ...filters.map((filter) => ({ ...filter, more: undefined })),
      ]}
      state={state}
      change={change}
    />
  );
}
