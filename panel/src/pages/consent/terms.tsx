import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFileText, IconPlus } from '@tabler/icons-react';
import type { ConsentTerm } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { Time } from '../../parts/time.tsx';
import { useCan } from '../../shell/instance.tsx';
import { useWords } from '../../shell/languages.ts';
import { useUrlState } from '../../shell/url-state.ts';
import { useApi } from '../../shell/use-api.ts';
import { currentOf, useCatalogue } from './catalogue.ts';
import { TermDialog } from './term-dialog.tsx';
import { TermState } from './term-state.tsx';
import { valueWords } from './value-words.ts';
import { words } from './words.ts';

export function Terms() {
  const t = useWords(words);
  const api = useApi();
  const [{ page }] = useUrlState();
  return (
    <ListBody
      label={t.terms}
      query={api.read('panel_list_consent_terms', { query: { page: Number(page ?? 1) } })}
      columns={useColumns()}
      idOf={({ id }) => id}
      to={({ id }) => ({ page: 'consent_term', id })}
      empty={
        <EmptyState icon={IconFileText} title={t.no_terms}>
          {t.no_terms_about}
        </EmptyState>
      }
    />
  );
}

/** The button and what it opens. */
export function AddTerm() {
  const t = useWords(words);
  const can = useCan();
  const [adding, { open, close }] = useDisclosure();
  if (!can('panel_create_consent_term')) return null;
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        {t.add_term}
      </Button>
      <TermDialog opened={adding} onClose={close} />
    </>
  );
}

function useColumns(): Column<ConsentTerm>[] {
  const t = useWords(words);
  const values = useWords(valueWords);
  const { purposeName } = useCatalogue();
  return [
    { name: 'name', header: t.name, cell: ({ name }) => name },
    { name: 'state', header: t.state, width: '11rem', cell: (term) => <TermState term={term} /> },
    {
      name: 'version',
      header: t.version,
      width: '7rem',
      cell: (term) => currentOf(term)?.version ?? '—',
      from: 'sm',
    },
    {
      name: 'purposes',
      header: t.purposes,
      width: '22%',
      cell: ({ purpose_ids }) => purpose_ids.map(purposeName).join(', '),
      from: 'md',
    },
    {
      name: 'channels',
      header: t.channels,
      width: '12rem',
      cell: ({ channels }) => channels.map((each) => values.channels[each]).join(', '),
      from: 'lg',
    },
    {
      name: 'changed',
      header: t.changed,
      width: '11rem',
      align: 'end',
      cell: ({ updated_at }) => <Time at={updated_at} />,
      from: 'lg',
    },
  ];
}
