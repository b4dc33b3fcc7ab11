import { IconMailOff } from '@tabler/icons-react';
import type { MailUnsubscribe } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { useSenderFilter } from '../../parts/sender-filter.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../shell/format.ts';
import { useWords } from '../../shell/languages.ts';
import { useUrlState } from '../../shell/url-state.ts';
import { useApi } from '../../shell/use-api.ts';
import { words } from './words.ts';

const methods = ['one_click', 'page', 'mailto'] as const;

/** Who wants no more broadcasts. */
export function Unsubscribes() {
  const t = useWords(words);
  const api = useApi();
  const [{ recipient, method, sender_id, page }] = useUrlState();
  const query = {
    recipient,
    method: methods.find((each) => each === method),
    sender_id: sender_id === undefined ? undefined : Number(sender_id),
    page: Number(page ?? 1),
  };
  return (
    <ListBody
      label={t.unsubscribes}
      filters={[
        { kind: 'text', name: 'recipient', label: t.address },
        {
          kind: 'select',
          name: 'method',
          label: t.method,
          options: methods.map((value) => ({ value, label: t.methods[value] })),
        },
        useSenderFilter(t.sender),
      ]}
      query={api.read('panel_list_unsubscribes', { query })}
      columns={useColumns()}
      idOf={({ mail_id }) => mail_id}
      to={({ mail_id }) => ({ page: 'mail', id: mail_id })}
      empty={
        <EmptyState icon={IconMailOff} title={t.no_unsubscribes}>
          {t.no_unsubscribes_about}
        </EmptyState>
      }
    />
  );
}

function useColumns(): Column<MailUnsubscribe>[] {
  const t = useWords(words);
  const { moment } = useFormat();
  return [
    { name: 'address', header: t.address, cell: ({ to }) => to ?? '—' },
    {
      name: 'state',
      header: t.state,
      width: '9rem',
      cell: ({ resubscribed_at }) =>
        resubscribed_at === null ? (
          <StatusBadge tone="warn">{t.unsubscribed}</StatusBadge>
        ) : (
          <span title={moment(resubscribed_at)}>
            <StatusBadge tone="good">{t.came_back}</StatusBadge>
          </span>
        ),
    },
    { name: 'method', header: t.method, width: '9rem', cell: ({ method }) => t.methods[method], from: 'md' },
    {
      name: 'reason',
      header: t.said,
      width: '22%',
      cell: ({ reason }) => <span title={reason ?? undefined}>{reason ?? '—'}</span>,
      from: 'lg',
    },
    { name: 'sender', header: t.sender, width: '18%', cell: ({ sender }) => sender ?? '—', from: 'lg' },
    {
      name: 'at',
      header: t.since,
      width: '11rem',
      align: 'end',
      cell: ({ unsubscribed_at }) => <Time at={unsubscribed_at} />,
      from: 'sm',
    },
  ];
}
