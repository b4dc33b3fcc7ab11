import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { roles, type Role } from '../../api/roles.ts';
import { useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';

/** The roles that the person may give: only owners make owners. */
export function RoleSelect({
  value,
  onChange,
  error,
}: {
  value: Role;
  onChange: (role: Role) => void;
  error: ReactNode;
}) {
  const t = useMessages('team');
  const { role: own } = useInstance();
  return (
    <Select
      label={t.role}
      description={t.role_help[value]}
      data={roles
        .filter((role) => role !== 'owner' || own === 'owner')
        .map((role) => ({ value: role, label: t.roles[role] }))}
      value={value}
      onChange={(chosen) => chosen && onChange(chosen)}
      error={error}
      allowDeselect={false}
    />
  );
}
