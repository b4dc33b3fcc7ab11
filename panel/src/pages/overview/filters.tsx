import { FilterBar } from '../../parts/filter-bar.tsx';
import {
  useCategoryFilter,
  useDomainFilter,
  useGroupFilter,
  useSenderFilter,
} from '../../parts/mail-filters.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { initialRange } from './initial-range.ts';

/** Which days, and whose mail. */
export function Filters() {
  const t = useMessages('overview');
  const [state, change] = useUrlState();
  const filters = [
    useDomainFilter(),
    useSenderFilter(),
    useCategoryFilter(state['category']),
    useGroupFilter(),
  ];
  return (
    <FilterBar
      filters={[
        { kind: 'range', name: 'range', label: t.range, initial: initialRange },
        ...filters.map((filter) => ({ ...filter, more: undefined })),
        {
          kind: 'select',
          name: 'sandbox',
          label: t.sandbox,
          unset: t.sandboxes.none,
          options: (['all', 'only'] as const).map((value) => ({ value, label: t.sandboxes[value] })),
        },
      ]}
      state={state}
      change={change}
    />
  );
}
