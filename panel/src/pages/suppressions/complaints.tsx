import { IconFlag } from '@tabler/icons-react';
import type { MailComplaint } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { useSenderFilter } from '../../parts/mail-filters.ts';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useDates } from './use-dates.ts';
import { useApi } from '../../parts/app/use-api.ts';

type Type = NonNullable<MailComplaint['type']>;
const types: Type[] = [
  'unknown',
  'spam',
  'phishing_or_malware',
  'fraud',
  'adult_content',
  'violent_or_illegal',
  'intellectual_property',
  'other',
];

/** Who reported a mail. */
export function Complaints() {
  const t = useMessages('suppressions');
  const api = useApi();
  const [{ recipient, type, sender_id, page }] = useUrlState();
  const { dates, filter } = useDates();
  const query = {
    ...dates,
    recipient,
    type: types.find((each) => each === type),
    sender_id: sender_id === undefined ? undefined : Number(sender_id),
    page: Number(page ?? 1),
  };
  return (
    <ListBody
      label={t.complaints}
      filters={[
        { kind: 'text', name: 'recipient', label: t.address },
        filter,
        {
          kind: 'select',
          name: 'type',
          label: t.type,
          options: types.map((value) => ({ value, label: t.types[value] })),
        },
        useSenderFilter(),
      ]}
      query={api.read('panel_list_complaints', { query })}
      columns={useColumns()}
      choice="complaints"
      idOf={({ mail_id }) => mail_id}
      to={({ mail_id }) => ({ page: 'mail', id: mail_id })}
      empty={{ icon: IconFlag, title: t.no_complaints, about: t.no_complaints_about }}
    />
  );
}

function useColumns(): Column<MailComplaint>[] {
  const t = useMessages('suppressions');
  return [
    { name: 'address', header: t.address, cell: ({ to }) => to ?? '—' },
    {
      name: 'type',
      header: t.type,
      min: 10,
      cell: ({ type }) => (type === null ? '—' : t.types[type]),
    },
    {
      name: 'comment',
      header: t.said,
      min: 10,
      grow: 3,
      cell: ({ comment }) => <span title={comment ?? undefined}>{comment ?? '—'}</span>,
      rank: 2,
    },
    { name: 'sender', header: t.sender, min: 10, grow: 2, cell: ({ sender }) => sender ?? '—', rank: 3 },
    {
      name: 'at',
      header: t.complained,
      min: 11,
      align: 'end',
      cell: ({ complained_at }) => <Time at={complained_at} />,
      rank: 1,
    },
  ];
}
