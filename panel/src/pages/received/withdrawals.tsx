import { Text } from '@mantine/core';
import { IconUserMinus } from '@tabler/icons-react';
import type { ReplyWithdrawal } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import type { Column } from '../../parts/data-list.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';

const states = ['offered', 'recorded', 'dismissed'] as const;
const tones: Record<ReplyWithdrawal['state'], Tone> = {
  offered: 'warn',
  recorded: 'good',
  dismissed: 'quiet',
};

/** Answers that only ask for no more mail; what is to be decided is decided where the answer is read. */
export function Withdrawals() {
  const t = useMessages('received');
  const api = useApi();
  const [{ state, page }] = useUrlState();
  const wanted = states.find((each) => each === state);
  return (
    <>
      <Text c="dimmed" mb="md">
        {t.withdrawals_about}
      </Text>
      <ListBody
        label={t.withdrawals}
        filters={[
          {
            kind: 'select',
            name: 'state',
            label: t.state,
            options: states.map((value) => ({ value, label: t.withdrawal_states[value] })),
          },
        ]}
        query={api.read('panel_list_reply_withdrawals', {
          query: { state: wanted, page: Number(page ?? 1) },
        })}
        columns={useColumns()}
        idOf={({ received_mail_id }) => received_mail_id}
        to={({ received_mail_id }) => ({ page: 'received', search: { open: received_mail_id } })}
        empty={{ icon: IconUserMinus, title: t.withdrawals_empty, about: t.withdrawals_empty_about }}
      />
    </>
  );
}

function useColumns(): Column<ReplyWithdrawal>[] {
  const t = useMessages('received');
  return [
    { name: 'person', header: t.person, cell: ({ recipient }) => recipient },
    {
      name: 'state',
      header: t.state,
      min: 9,
      cell: ({ state }) => <StatusBadge tone={tones[state]}>{t.withdrawal_states[state]}</StatusBadge>,
    },
    { name: 'words', header: t.words, min: 12, grow: 2, rank: 1, cell: ({ words }) => words },
    {
      name: 'received',
      header: t.received,
      min: 10,
      rank: 1,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
  ];
}
