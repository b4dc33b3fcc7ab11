import { IconAt } from '@tabler/icons-react';
import type { Sender } from '../../api/operations.ts';
import { Marked, type Column } from '../../parts/data-list.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { SandboxMark } from '../../parts/mail-marks.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { SenderDialog } from './sender-dialog.tsx';

export function Page() {
  const t = useMessages('senders');
  const api = useApi();
  const [{ email, name, page }] = useUrlState();
  return (
    <ListPage
      title={t.title}
      about={t.about}
      add={{
        label: t.add,
        needs: 'panel_create_sender',
        dialog: (state) => <SenderDialog {...state} />,
      }}
      filters={[
        { kind: 'text', name: 'email', label: t.search },
        { kind: 'text', name: 'name', label: t.search_name },
      ]}
      query={api.read('panel_list_senders', { query: { email, name, page: Number(page ?? 1) } })}
      columns={useColumns()}
      idOf={({ id }) => id}
      opens={{
        page: 'senders',
        needs: 'panel_update_sender',
        read: (id) => api.read('panel_get_sender', { params: { id: Number(id) } }),
        dialog: (sender, onClose) => <SenderDialog opened sender={sender} onClose={onClose} />,
      }}
      empty={{
        icon: IconAt,
        title: t.empty,
        about: t.empty_about,
        action: <PageLink page="domains">{t.to_domains}</PageLink>,
      }}
    />
  );
}

function useColumns(): Column<Sender>[] {
  const t = useMessages('senders');
  const tracked = ({ track_opens, track_clicks }: Sender): string =>
    [track_opens && t.opens, track_clicks && t.clicks].filter(Boolean).join(', ') || t.none;
  return [
    {
      name: 'address',
      header: t.address,
      cell: ({ email_address }) => (
        <Marked badge={<SandboxMark address={email_address} />}>{email_address}</Marked>
      ),
    },
    { name: 'name', header: t.name, min: 10, grow: 2, cell: ({ name }) => name, rank: 1 },
    { name: 'stream', header: t.stream, min: 9, cell: ({ stream }) => t.streams[stream], rank: 1 },
    { name: 'tracking', header: t.tracking, min: 9, cell: tracked, rank: 2 },
    {
      name: 'created',
      header: t.created,
      min: 11,
      cell: ({ created_at }) => <Time at={created_at} />,
      rank: 3,
    },
  ];
}
