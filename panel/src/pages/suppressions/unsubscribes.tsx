import { IconMailOff } from '@tabler/icons-react';
import type { MailUnsubscribe } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { useSenderFilter } from '../../parts/mail-filters.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useDates } from './use-dates.ts';
import { useApi } from '../../parts/app/use-api.ts';

const methods = ['one_click', 'page', 'mailto', 'reply'] as const;

/** Who wants no more broadcasts. */
export function Unsubscribes() {
  const t = useMessages('suppressions');
  const api = useApi();
  const [{ recipient, method, sender_id, page }] = useUrlState();
  const { dates, filter } = useDates();
  const query = {
    ...dates,
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
        filter,
        {
          kind: 'select',
          name: 'method',
          label: t.method,
          options: methods.map((value) => ({ value, label: t.methods[value] })),
        },
        useSenderFilter(),
      ]}
      query={api.read('panel_list_unsubscribes', { query })}
      columns={useColumns()}
      choice="unsubscribes"
      idOf={({ mail_id }) => mail_id}
      to={({ mail_id }) => ({ page: 'mail', id: mail_id })}
      empty={{ icon: IconMailOff, title: t.no_unsubscribes, about: t.no_unsubscribes_about }}
    />
  );
}

function useColumns(): Column<MailUnsubscribe>[] {
  const t = useMessages('suppressions');
  const { moment } = useFormat();
  return [
    { name: 'address', header: t.address, cell: ({ to }) => to ?? '—' },
    {
      name: 'state',
      header: t.state,
      min: 9,
      cell: ({ resubscribed_at, lifted_for }) => {
        if (resubscribed_at !== null) {
          return (
            <span title={moment(resubscribed_at)}>
              <StatusBadge tone="good">{t.came_back}</StatusBadge>
            </span>
          );
        }
        if (lifted_for.length === 0) return <StatusBadge tone="warn">{t.unsubscribed}</StatusBadge>;
        return (
          <span title={t.only_for(lifted_for.map(({ purpose }) => purpose).join(', '))}>
            <StatusBadge tone="info">{t.came_back_for}</StatusBadge>
          </span>
        );
      },
    },
    { name: 'method', header: t.method, min: 9, cell: ({ method }) => t.methods[method], rank: 2 },
    {
      name: 'reason',
      header: t.said,
      min: 10,
      grow: 2,
      cell: ({ reason }) => <span title={reason ?? undefined}>{reason ?? '—'}</span>,
      rank: 3,
    },
    { name: 'sender', header: t.sender, min: 10, grow: 2, cell: ({ sender }) => sender ?? '—', rank: 3 },
    {
      name: 'at',
      header: t.since,
      min: 11,
      align: 'end',
      cell: ({ unsubscribed_at }) => <Time at={unsubscribed_at} />,
      rank: 1,
    },
  ];
}
