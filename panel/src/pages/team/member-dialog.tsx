import { Text } from '@mantine/core';
import { IconUserMinus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { Member } from '../../api/operations.ts';
import { refresh, session } from '../../api/session.ts';
import { useStore } from '../../api/store.ts';
import { RemoveButton } from '../../parts/actions.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { toast } from '../../parts/toast.ts';
import { useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { RoleSelect } from './role-select.tsx';

/** Changes what a member may do, or ends it. */
export function MemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useMessages('team');
  const update = useChange('panel_change_member', { onDone: () => toast(t.changed) });
  const isOneself = useIsOneself(member);
  return (
    <FormDialog
      title={t.change_title}
      opened
      onClose={onClose}
      initial={{ role: member.role }}
      onSubmit={async (body) => {
        await update.mutateAsync({ params: { user_id: member.id }, body });
        // The session tells what one may do oneself.
        if (isOneself) await refresh();
      }}
    >
      {(form) => (
        <>
          <Text>{member.name ? `${member.name} · ${member.email}` : member.email}</Text>
          <RoleSelect
            value={form.values.role}
            onChange={(role) => form.setFieldValue('role', role)}
            error={form.errors['role']}
          />
          <RemoveMember member={member} isOneself={isOneself} onRemoved={onClose} />
        </>
      )}
    </FormDialog>
  );
}

function useIsOneself({ id }: Member): boolean {
  const current = useStore(session);
  return current.state === 'signed-in' && current.user.id === id;
}

function RemoveMember({
  member: { id, email },
  isOneself,
  onRemoved,
}: {
  member: Member;
  isOneself: boolean;
  onRemoved: () => void;
}) {
  const t = useMessages('team');
  const api = useApi();
  const { name } = useInstance();
  const navigate = useNavigate();
  const remove = useChange('panel_remove_member', { onDone: () => toast(t.removed) });
  const action = isOneself ? t.leave : t.remove;
  const confirm = async (): Promise<void> => {
    const input = { params: { user_id: id } };
    if (!isOneself) {
      await remove.mutateAsync(input);
      return onRemoved();
    }
    // Nothing of the instance is read again: one has no place in it any more.
    await api.call('panel_remove_member', input);
    await refresh();
    await navigate({ to: '/' });
  };
  return (
    <RemoveButton label={action} icon={IconUserMinus} about={t.remove_about(email, name)} run={confirm} />
  );
}
