import { IconUserCheck } from '@tabler/icons-react';
import { respond } from '../../api/call.ts';
import type { ConsentEvent } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../shell/format.ts';
import { useWords } from '../../shell/languages.ts';
import { useUrlState } from '../../shell/url-state.ts';
import { useApi } from '../../shell/use-api.ts';
import { useCatalogue } from './catalogue.ts';
import { EventDialog } from './event-dialog.tsx';
import { useEventFilters, useEventQuery } from './event-query.ts';
import { EventState } from './event-state.tsx';
import { valueWords } from './value-words.ts';
import { words } from './words.ts';

/** Every consent and every withdrawal. */
export function Events() {
  const t = useWords(words);
  const api = useApi();
  const query = useEventQuery();
  const [state, change] = useUrlState();
  return (
    <>
      <ListBody
        label={t.events}
        filters={useEventFilters()}
        query={api.read('panel_list_consent_events', {
          query: { ...query, page: Number(state['page'] ?? 1) },
        })}
        columns={useColumns()}
        idOf={({ id }) => id}
        to={({ id }) => ({ page: 'consent', search: { ...state, open: String(id) } })}
        empty={
          <EmptyState icon={IconUserCheck} title={t.no_events}>
            {t.no_events_about}
          </EmptyState>
        }
      />
      <EventDialog id={Number(state['open']) || undefined} onClose={() => change({ open: undefined })} />
    </>
  );
}

/** All that the filters leave. */
export function ExportEvents() {
  const { slug } = useApi();
  const query = useEventQuery();
  return (
    <ExportMenu
      run={async (format, signal) =>
        await respond('panel_export_consent_events', { query: { ...query, format } }, { slug, signal })
      }
    />
  );
}

function useColumns(): Column<ConsentEvent>[] {
  const t = useWords(words);
  const values = useWords(valueWords);
  const { number } = useFormat();
  const { termName, versionName, purposeName } = useCatalogue();
  return [
    {
      name: 'contact',
      header: t.contact,
      cell: ({ rules }) => {
        const contacts = [...new Set(rules.map(({ contact }) => contact))];
        const [first = '—', ...others] = contacts;
        return others.length === 0 ? first : `${first} ${t.and_more(number(others.length))}`;
      },
    },
    { name: 'said', header: t.action, width: '9rem', cell: (event) => <EventState event={event} /> },
    {
      name: 'purposes',
      header: t.purposes,
      width: '16%',
      cell: ({ rules }) => [...new Set(rules.map(({ purpose_id }) => purposeName(purpose_id)))].join(', '),
      from: 'md',
    },
    {
      name: 'term',
      header: t.term,
      width: '20%',
      cell: (event) => `${termName(event.term_id)} · ${versionName(event)}`,
      from: 'md',
    },
    {
      name: 'source',
      header: t.source,
      width: '10rem',
      cell: ({ source }) => values.sources[source],
      from: 'lg',
    },
    {
      name: 'at',
      header: t.at,
      width: '10rem',
      align: 'end',
      cell: ({ created_at }) => <Time at={created_at} />,
      from: 'sm',
    },
  ];
}
