import { Stack } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import type { Alert } from '../../api/operations.ts';
import { AlertText, placeOfAlert } from '../../parts/app/alert-text.tsx';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import type { Column } from '../../parts/data-list.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { AlertRules } from './rules.tsx';

/** What needs somebody, and the rules that say so. */
export function Page() {
  const t = useMessages('alerts');
  const api = useApi();
  const [{ page, state, kind }] = useUrlState();
  const query = {
    page: Number(page ?? 1),
    kind,
    is_open: state === undefined ? undefined : state === 'open',
  };
  return (
    <ListPage
      title={t.title}
      about={t.about}
      filters={[
        {
          kind: 'select',
          name: 'state',
          label: t.state,
          options: [
            { value: 'open', label: t.open },
            { value: 'resolved', label: t.resolved },
          ],
        },
        {
          kind: 'select',
          name: 'kind',
          label: t.kind,
          options: Object.entries(t.kinds).map(([value, label]) => ({ value, label })),
        },
      ]}
      query={api.read('panel_list_alerts', { query: query as never })}
      columns={useColumns()}
      idOf={({ id }) => id}
      to={placeOfAlert}
      empty={{ icon: IconBell, title: t.empty, about: t.empty_about }}
      below={
        <Stack mt="xl">
          <AlertRules />
        </Stack>
      }
    />
  );
}

function useColumns(): Column<Alert>[] {
  const t = useMessages('alerts');
  return [
    { name: 'what', header: t.what, min: 16, grow: 3, cell: (alert) => <AlertText alert={alert} /> },
    {
      name: 'state',
      header: t.state,
      min: 9,
      cell: ({ resolved_at }) => (
        <StatusBadge tone={resolved_at ? 'quiet' : 'bad'}>{resolved_at ? t.resolved : t.open}</StatusBadge>
      ),
    },
    { name: 'raised', header: t.raised, min: 11, rank: 1, cell: ({ raised_at }) => <Time at={raised_at} /> },
    {
      name: 'ended',
      header: t.ended,
      min: 11,
      rank: 2,
      cell: ({ resolved_at }) => resolved_at && <Time at={resolved_at} />,
    },
  ];
}
