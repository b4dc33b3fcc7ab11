import { IconFileText } from '@tabler/icons-react';
import type { ConsentTerm } from '../../api/operations.ts';
import { AddButton } from '../../parts/add-button.tsx';
import type { Column } from '../../parts/data-list.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { currentOf, useCatalogue } from './catalogue.ts';
import { TermDialog } from './term-dialog.tsx';
import { TermState } from './term-state.tsx';

export function Terms() {
  const t = useMessages('consent');
  const api = useApi();
  const [{ page }] = useUrlState();
  return (
    <ListBody
      label={t.terms}
      query={api.read('panel_list_consent_terms', { query: { page: Number(page ?? 1) } })}
      columns={useColumns()}
      idOf={({ id }) => id}
      to={({ id }) => ({ page: 'consent_term', id })}
      empty={{ icon: IconFileText, title: t.no_terms, about: t.no_terms_about }}
    />
  );
}

/** The button and what it opens. */
export function AddTerm() {
  const t = useMessages('consent');
  return (
    <AddButton
      label={t.add_term}
      needs="panel_create_consent_term"
      dialog={(state) => <TermDialog {...state} />}
    />
  );
}

function useColumns(): Column<ConsentTerm>[] {
  const t = useMessages('consent');
  const values = useMessages('consent_values');
  const { purposeName } = useCatalogue();
  return [
    { name: 'name', header: t.name, cell: ({ name }) => name },
    { name: 'state', header: t.state, min: 11, cell: (term) => <TermState term={term} /> },
    {
      name: 'version',
      header: t.version,
      isNumber: true,
      min: 7,
      cell: (term) => currentOf(term)?.version ?? '—',
      rank: 1,
    },
    {
      name: 'purposes',
      header: t.purposes,
      min: 10,
      grow: 2,
      cell: ({ purpose_ids }) => purpose_ids.map(purposeName).join(', '),
      rank: 2,
    },
    {
      name: 'channels',
      header: t.channels,
      min: 12,
      cell: ({ channels }) => channels.map((each) => values.channels[each]).join(', '),
      rank: 3,
    },
    {
      name: 'changed',
      header: t.changed,
      min: 11,
      align: 'end',
      cell: ({ updated_at }) => <Time at={updated_at} />,
      rank: 3,
    },
  ];
}
