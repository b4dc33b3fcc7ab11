import { IconFlag } from '@tabler/icons-react';
import type { MailComplaint } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { useSenderFilter } from '../../parts/sender-filter.ts';
import { Time } from '../../parts/time.tsx';
import { useWords } from '../../shell/languages.ts';
import { useUrlState } from '../../shell/url-state.ts';
import { useApi } from '../../shell/use-api.ts';
import { words } from './words.ts';

type Type = NonNullable<MailComplaint['type']>;
const types = Object.keys(words.en.types) as Type[];

/** Who reported a mail. */
export function Complaints() {
  const t = useWords(words);
  const api = useApi();
  const [{ recipient, type, sender_id, page }] = useUrlState();
  const query = {
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
        {
          kind: 'select',
          name: 'type',
          label: t.type,
          options: types.map((value) => ({ value, label: t.types[value] })),
        },
        useSenderFilter(t.sender),
      ]}
      query={api.read('panel_list_complaints', { query })}
      columns={useColumns()}
      idOf={({ mail_id }) => mail_id}
      to={({ mail_id }) => ({ page: 'mail', id: mail_id })}
      empty={
        <EmptyState icon={IconFlag} title={t.no_complaints}>
          {t.no_complaints_about}
        </EmptyState>
      }
    />
  );
}

function useColumns(): Column<MailComplaint>[] {
  const t = useWords(words);
  return [
    { name: 'address', header: t.address, cell: ({ to }) => to ?? '—' },
    {
      name: 'type',
      header: t.type,
      width: '10rem',
      cell: ({ type }) => (type === null ? '—' : t.types[type]),
    },
    {
      name: 'comment',
      header: t.said,
      width: '26%',
      cell: ({ comment }) => <span title={comment ?? undefined}>{comment ?? '—'}</span>,
      from: 'md',
    },
    { name: 'sender', header: t.sender, width: '18%', cell: ({ sender }) => sender ?? '—', from: 'lg' },
    {
      name: 'at',
      header: t.complained,
      width: '11rem',
      align: 'end',
      cell: ({ complained_at }) => <Time at={complained_at} />,
      from: 'sm',
    },
  ];
}
