import { IconUserCheck } from '@tabler/icons-react';
import { respond } from '../../api/call.ts';
import type { ConsentEvent } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { useCatalogue } from './catalogue.ts';
import { EventDialog } from './event-dialog.tsx';
import { useEventFilters, useEventQuery } from './event-query.ts';
import { EventState } from './event-state.tsx';

/** Every consent and every withdrawal. */
export function Events() {
  const t = useMessages('consent');
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
        empty={{ icon: IconUserCheck, title: t.no_events, about: t.no_events_about }}
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
  const t = useMessages('consent');
  const values = useMessages('consent_values');
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
    { name: 'said', header: t.action, min: 9, cell: (event) => <EventState event={event} /> },
    {
      name: 'purposes',
      header: t.purposes,
      min: 10,
      grow: 2,
      cell: ({ rules }) => [...new Set(rules.map(({ purpose_id }) => purposeName(purpose_id)))].join(', '),
      rank: 2,
    },
    {
      name: 'term',
      header: t.term,
      min: 10,
      grow: 2,
      cell: (event) => `${termName(event.term_id)} · ${versionName(event)}`,
      rank: 2,
    },
    {
      name: 'source',
      header: t.source,
      min: 10,
      cell: ({ source }) => values.sources[source],
      rank: 3,
    },
    {
      name: 'at',
      header: t.at,
      min: 10,
      align: 'end',
      cell: ({ created_at }) => <Time at={created_at} />,
      rank: 1,
    },
  ];
}
