import { IconInbox, IconMail } from '@tabler/icons-react';
import type { ReceivedMailSummary } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import type { Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { MessageLine, Panes } from '../../parts/panes.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { UrlTabs } from '../../parts/tabs.tsx';
import { Time } from '../../parts/time.tsx';
import { PageLink } from '../../parts/app/page-link.tsx';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { ReceivedMessage } from './received-message.tsx';
import { Withdrawals } from './withdrawals.tsx';

/** Mail that came in, and what people ask for in their answers. */
export function Page() {
  const t = useMessages('received');
  return (
    <main>
      <PageHeader title={t.title}>{t.about}</PageHeader>
      <UrlTabs
        name="list"
        label={t.title}
        tabs={[
          { name: 'inbox', label: t.inbox, content: () => <Inbox /> },
          { name: 'withdrawals', label: t.withdrawals, content: () => <Withdrawals /> },
        ]}
      />
    </main>
  );
}

function Inbox() {
  const t = useMessages('received');
  const api = useApi();
  const [state, change] = useUrlState();
  const { from, recipient, subject, is_read, page, open } = state;
  return (
    <Panes
      isOpen={open !== undefined}
      list={
        <ListBody
          label={t.inbox}
          filters={[
            { kind: 'text', name: 'from', label: t.from },
            { kind: 'text', name: 'recipient', label: t.to },
            { kind: 'text', name: 'subject', label: t.subject },
            {
              kind: 'select',
              name: 'is_read',
              label: t.shown,
              options: (['false', 'true'] as const).map((value) => ({ value, label: t.read_states[value] })),
            },
          ]}
          query={api.read('panel_list_received_mails', {
            query: {
              from,
              recipient,
              subject,
              is_read: is_read === undefined ? undefined : is_read === 'true',
              page: Number(page ?? 1),
            },
          })}
          columns={useColumns(open)}
          idOf={({ id }) => id}
          to={({ id }) => ({ page: 'received', search: { ...state, tab: undefined, open: id } })}
          empty={{
            icon: IconInbox,
            title: t.empty,
            about: t.empty_about,
            action: <PageLink page="routes">{t.to_routes}</PageLink>,
          }}
        />
      }
    >
      {open === undefined ? (
        <EmptyState icon={IconMail} title={t.choose}>
          {t.choose_help}
        </EmptyState>
      ) : (
        <ReceivedMessage key={open} id={open} onClose={() => change({ open: undefined, tab: undefined })} />
      )}
    </Panes>
  );
}

function useColumns(open: string | undefined): Column<ReceivedMailSummary>[] {
  const t = useMessages('received');
  return [
    {
      name: 'message',
      header: t.subject,
      cell: ({ id, subject, from_name, from_address, mail_from, is_read, is_auto_reply, state }) => (
        <MessageLine title={subject || t.no_subject} isOpen={id === open} isRead={is_read}>
          {from_name || from_address || mail_from || t.nobody}{' '}
          {is_auto_reply && <StatusBadge tone="quiet">{t.auto_reply}</StatusBadge>}
          {state === 'failed' && <StatusBadge tone="bad">{t.states.failed}</StatusBadge>}
        </MessageLine>
      ),
    },
    {
      name: 'received',
      header: t.received,
      min: 7,
      align: 'end',
      cell: ({ received_at }) => <Time at={received_at} as="relative" />,
    },
  ];
}
