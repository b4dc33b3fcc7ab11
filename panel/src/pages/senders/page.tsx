import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAt, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Sender } from '../../api/operations.ts';
import { Marked, type Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { SandboxMark } from '../../parts/mail-marks.tsx';
import { Time } from '../../parts/time.tsx';
import { useCan } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { SenderDialog } from './sender-dialog.tsx';

export function Page() {
  const t = useMessages('senders');
  const api = useApi();
  const can = useCan();
  const [state, change] = useUrlState();
  const [adding, { open, close }] = useDisclosure();
  const { email, name, page, open: opened } = state;
  const senders = api.read('panel_list_senders', { query: { email, name, page: Number(page ?? 1) } });
  const chosen = useQuery({
    ...api.read('panel_get_sender', { params: { id: Number(opened) } }),
    enabled: opened !== undefined && can('panel_update_sender'),
  });
  const add = can('panel_create_sender') && (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      {t.add}
    </Button>
  );
  return (
    <>
      <ListPage
        title={t.title}
        about={t.about}
        actions={add}
        filters={[
          { kind: 'text', name: 'email', label: t.search },
          { kind: 'text', name: 'name', label: t.search_name },
        ]}
        query={senders}
        columns={useColumns()}
        idOf={({ id }) => id}
        to={
          can('panel_update_sender')
            ? ({ id }) => ({ page: 'senders', search: { ...state, open: String(id) } })
            : undefined
        }
        empty={
          <EmptyState
            icon={IconAt}
            title={t.empty}
            action={<PageLink page="domains">{t.to_domains}</PageLink>}
          >
            {t.empty_about}
          </EmptyState>
        }
      />
      {can('panel_create_sender') && <SenderDialog opened={adding} onClose={close} />}
      {opened !== undefined && chosen.data?.id === Number(opened) && (
        <SenderDialog opened sender={chosen.data} onClose={() => change({ open: undefined })} />
      )}
    </>
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
