import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { respond } from '../../api/call.ts';
import type { AuditEvent } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { ExportMenu } from '../../parts/export-menu.tsx';
import type { Filter } from '../../parts/filter-bar.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { datesOf } from '../../parts/range.ts';
import { Time } from '../../parts/time.tsx';
import { useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { useActionWords } from './action-words.ts';
import { EventDetail } from './event-detail.tsx';

const initialRange = '30d';

export function Page() {
  const t = useMessages('audit');
  const api = useApi();
  const { timezone } = useInstance();
  const [{ action, actor_id, object_kind, object_id, range = initialRange, page }] = useUrlState();
  const filters = { action, actor_id, object_kind, object_id, ...datesOf(range, timezone) };
  const events = api.read('panel_list_audit_events', { query: { ...filters, page: Number(page ?? 1) } });
  return (
    <ListPage
      title={t.title}
      about={t.about}
      actions={
        <ExportMenu
          run={async (format, signal) =>
            await respond(
              'panel_export_audit_events',
              { query: { ...filters, tz: timezone, format } },
              { slug: api.slug, signal },
            )
          }
        />
      }
      filters={useFilters()}
      query={events}
      columns={useColumns()}
      idOf={({ id }) => id}
      opens={{ page: 'audit', dialog: (event, onClose) => <EventDetail event={event} onClose={onClose} /> }}
      choice="audit"
      empty={{ icon: IconHistory, title: t.empty, about: t.empty_about }}
    />
  );
}

function useFilters(): Filter[] {
  const t = useMessages('audit');
  const api = useApi();
  const [{ actor_id }] = useUrlState();
  const members = useQuery({
    ...api.read('panel_list_members', { query: { page_size: 100 } }),
    staleTime: 60_000,
  });
  const people = (members.data?.data ?? []).map(({ id, email }) => ({ value: String(id), label: email }));
  const isKnown = actor_id === undefined || people.some(({ value }) => value === actor_id);
  return [
    { kind: 'range', name: 'range', label: t.at, initial: initialRange },
    {
      kind: 'select',
      name: 'object_kind',
      label: t.kind,
      options: Object.entries(t.kinds).map(([value, label]) => ({ value, label })),
    },
    {
      kind: 'select',
      name: 'actor_id',
      label: t.by,
      // A key or a former member, chosen at one of its events.
      options: isKnown ? people : [...people, { value: actor_id, label: actor_id }],
    },
    { kind: 'text', name: 'action', label: t.action_code, more: true },
    { kind: 'text', name: 'object_id', label: t.object_id, more: true },
  ];
}

function useColumns(): Column<AuditEvent>[] {
  const t = useMessages('audit');
  const inWords = useActionWords();
  return [
    { name: 'action', header: t.action, cell: ({ action }) => inWords(action) },
    {
      name: 'actor',
      header: t.actor,
      min: 10,
      grow: 3,
      cell: ({ actor_email, actor_kind }) => actor_email ?? t.actors[actor_kind],
      rank: 1,
    },
    {
      name: 'object',
      header: t.object,
      min: 10,
      grow: 2,
      cell: ({ object_id }) => object_id ?? '—',
      rank: 2,
    },
    { name: 'address', header: t.address, min: 9, cell: ({ address }) => address ?? '—', rank: 3 },
    { name: 'at', header: t.at, min: 12.5, rank: 1, cell: ({ at }) => <Time at={at} as="exact" /> },
  ];
}
