import { IconSpeakerphone } from '@tabler/icons-react';
import type { Broadcast } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import type { Column } from '../../parts/data-list.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { Time } from '../../parts/time.tsx';
import { BroadcastState, states } from './broadcast-state.tsx';
import { NewDialog } from './new-dialog.tsx';

const movingMs = 3_000;

/** Every broadcast, the newest first. Those that are being sent move. */
export function Page() {
  const t = useMessages('broadcasts');
  const api = useApi();
  const [{ name, state, page }] = useUrlState();
  const query = { name, state: states.find((each) => each === state), page: Number(page ?? 1) };
  return (
    <ListPage
      title={t.title}
      about={t.about}
      add={{ label: t.add, needs: 'panel_create_broadcast', dialog: (shown) => <NewDialog {...shown} /> }}
      filters={[
        { kind: 'text', name: 'name', label: t.search },
        {
          kind: 'select',
          name: 'state',
          label: t.state,
          options: states.map((value) => ({ value, label: t.states[value] })),
        },
      ]}
      query={{
        ...api.read('panel_list_broadcasts', { query }),
        refetchInterval: ({ state: read }) =>
          read.data?.data.some(({ state: each }) => each === 'sending' || each === 'scheduled')
            ? movingMs
            : false,
      }}
      columns={useColumns()}
      idOf={({ id }) => id}
      to={({ id }) => ({ page: 'broadcast', id })}
      empty={{ icon: IconSpeakerphone, title: t.empty, about: t.empty_about }}
    />
  );
}

function useColumns(): Column<Broadcast>[] {
  const t = useMessages('broadcasts');
  const { number } = useFormat();
  return [
    { name: 'name', header: t.name, cell: ({ name }) => name },
    {
      name: 'state',
      header: t.state,
      min: 8,
      cell: ({ state }) => <BroadcastState state={state} />,
      rank: 1,
    },
    {
      name: 'recipients',
      header: t.recipients,
      min: 10,
      align: 'end',
      isNumber: true,
      cell: ({ state, progress: { recipients, handled } }) => {
        if (recipients === null) return '—';
        return state === 'sent' ? number(recipients) : t.progress(number(handled), number(recipients));
      },
      rank: 1,
    },
    {
      name: 'started',
      header: t.started,
      min: 11,
      align: 'end',
      cell: ({ started_at, schedule_at }) => <Time at={started_at ?? schedule_at} />,
      rank: 2,
    },
  ];
}
