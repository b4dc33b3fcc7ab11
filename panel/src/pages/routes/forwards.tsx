import { IconMailForward } from '@tabler/icons-react';
import type { Forward } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import type { Column } from '../../parts/data-list.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { MailStatus } from '../../parts/mail-status.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';

const states = ['pending', 'sent_on', 'refused'] as const;

/** What routes sent on. Bounces of it come back here. */
export function Forwards() {
  const t = useMessages('routes');
  const api = useApi();
  const [{ state, page }] = useUrlState();
  const wanted = states.find((each) => each === state);
  return (
    <ListBody
      label={t.forwards}
      filters={[
        {
          kind: 'select',
          name: 'state',
          label: t.state,
          options: states.map((value) => ({ value, label: t.forward_states[value] })),
        },
      ]}
      query={api.read('panel_list_forwards', { query: { state: wanted, page: Number(page ?? 1) } })}
      columns={useColumns()}
      idOf={({ id }) => id}
      to={({ received_mail_id }) => ({ page: 'received', search: { open: received_mail_id } })}
      empty={{ icon: IconMailForward, title: t.forwards_empty, about: t.forwards_empty_about }}
    />
  );
}

function useColumns(): Column<Forward>[] {
  const t = useMessages('routes');
  const why = ({ reason, response }: Forward): string => (reason ? t.reasons[reason] : (response ?? ''));
  return [
    { name: 'address', header: t.address, cell: ({ address }) => address },
    {
      name: 'state',
      header: t.state,
      min: 9,
      cell: ({ state, status }) =>
        status === null ? (
          <StatusBadge tone={state === 'refused' ? 'bad' : 'quiet'}>{t.forward_states[state]}</StatusBadge>
        ) : (
          <MailStatus status={status} />
        ),
    },
    {
      name: 'subject',
      header: t.subject,
      min: 12,
      grow: 2,
      rank: 1,
      cell: ({ subject }) => subject || t.no_subject,
    },
    { name: 'why', header: t.why, min: 12, grow: 2, rank: 1, cell: why },
    { name: 'when', header: t.when, min: 10, rank: 2, cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}
