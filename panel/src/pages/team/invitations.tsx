import { IconMailForward } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Invitation } from '../../api/operations.ts';
import { RowAction } from '../../parts/actions.tsx';
import type { Column } from '../../parts/data-list.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { Time } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi, useChange } from '../../parts/app/use-api.ts';

/** Those that can still be accepted. */
export function Invitations({ invite }: { invite: ReactNode }) {
  const t = useMessages('team');
  const api = useApi();
  const [state] = useUrlState();
  return (
    <>
      <ListBody
        label={t.invitations}
        query={api.read('panel_list_invitations', { query: { page: Number(state['page'] ?? 1) } })}
        columns={useColumns()}
        idOf={({ id }) => id}
        empty={{
          icon: IconMailForward,
          title: t.no_invitations,
          about: t.no_invitations_about,
          action: invite,
        }}
      />
    </>
  );
}

function useColumns(): Column<Invitation>[] {
  const t = useMessages('team');
  const revoke = useChange('panel_revoke_invitation', { onDone: () => toast(t.revoked) });
  return [
    { name: 'email', header: t.email, cell: ({ email }) => email },
    { name: 'role', header: t.role, min: 8, cell: ({ role }) => t.roles[role], rank: 1 },
    {
      name: 'invited',
      header: t.invited,
      min: 11,
      cell: ({ created_at }) => <Time at={created_at} />,
      rank: 2,
    },
    {
      name: 'expires',
      header: t.expires,
      min: 11,
      cell: ({ expires_at }) => <Time at={expires_at} />,
      rank: 1,
    },
    {
      name: 'revoke',
      header: t.actions,
      min: 7,
      align: 'end',
      cell: ({ id, email }) => (
        <RowAction
          label={t.revoke}
          named={t.revoke_of(email)}
          about={t.revoke_about(email)}
          isDangerous
          run={async () => await revoke.mutateAsync({ params: { id } })}
        />
      ),
    },
  ];
}
