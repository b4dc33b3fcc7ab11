import { Button } from '@mantine/core';
import { IconMailForward } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { Invitation } from '../../api/operations.ts';
import { DangerDialog } from '../../parts/danger-dialog.tsx';
import type { Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
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
  const [chosen, setChosen] = useState<Invitation>();
  const revoke = useChange('panel_revoke_invitation', { onDone: () => toast(t.revoked) });
  return (
    <>
      <ListBody
        label={t.invitations}
        query={api.read('panel_list_invitations', { query: { page: Number(state['page'] ?? 1) } })}
        columns={useColumns(setChosen)}
        idOf={({ id }) => id}
        empty={
          <EmptyState icon={IconMailForward} title={t.no_invitations} action={invite}>
            {t.no_invitations_about}
          </EmptyState>
        }
      />
      <DangerDialog
        title={t.revoke}
        opened={chosen !== undefined}
        onClose={() => setChosen(undefined)}
        action={t.revoke}
        onConfirm={async () => chosen && (await revoke.mutateAsync({ params: { id: chosen.id } }))}
      >
        {chosen && t.revoke_about(chosen.email)}
      </DangerDialog>
    </>
  );
}

function useColumns(choose: (invitation: Invitation) => void): Column<Invitation>[] {
  const t = useMessages('team');
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
      cell: (invitation) => (
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          onClick={() => choose(invitation)}
          aria-label={t.revoke_of(invitation.email)}
        >
          {t.revoke}
        </Button>
      ),
    },
  ];
}
