import { Group, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Member } from '../../api/operations.ts';
import { session } from '../../api/session.ts';
import { useStore } from '../../api/store.ts';
import { RowAction } from '../../parts/actions.tsx';
import type { Column } from '../../parts/data-list.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useCan, useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { MemberDialog } from './member-dialog.tsx';

export function Members() {
  const t = useMessages('team');
  const api = useApi();
  const [state, change] = useUrlState();
  const query = api.read('panel_list_members', { query: { page: Number(state['page'] ?? 1) } });
  const { data } = useQuery(query);
  const mayChange = useMayChange(data?.data ?? [], data?.pagination.total_pages === 1);
  const chosen = data?.data.find(({ id }) => String(id) === state['open']);
  return (
    <>
      <ListBody
        label={t.members}
        query={query}
        columns={useColumns(mayChange)}
        idOf={({ id }) => id}
        empty={{ icon: IconUsers, title: t.no_members, about: t.about }}
      />
      {chosen && mayChange(chosen) && (
        <MemberDialog member={chosen} onClose={() => change({ open: undefined })} />
      )}
    </>
  );
}

/** Only owners change owners, and one owner stays: what would be refused is not offered. */
function useMayChange(members: Member[], areAll: boolean): (member: Member) => boolean {
  const can = useCan();
  const { role: own } = useInstance();
  const owners = members.filter(({ role }) => role === 'owner').length;
  return ({ role }) => {
    if (!can('panel_change_member')) return false;
    return role !== 'owner' || (own === 'owner' && (owners > 1 || !areAll));
  };
}

function useColumns(mayChange: (member: Member) => boolean): Column<Member>[] {
  const t = useMessages('team');
  const can = useCan();
  const [, change] = useUrlState();
  const current = useStore(session);
  const ownId = current.state === 'signed-in' ? current.user.id : undefined;
  const columns: Column<Member>[] = [
    {
      name: 'email',
      header: t.email,
      cell: ({ id, email, role }) => (
        <>
          <Group gap="xs" wrap="nowrap" component="span">
            <Text span truncate inherit>
              {email}
            </Text>
            {id === ownId && <StatusBadge tone="info">{t.you}</StatusBadge>}
          </Group>
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            {t.roles[role]}
          </Text>
        </>
      ),
    },
    { name: 'name', header: t.name, min: 10, grow: 2, cell: ({ name }) => name || '—', rank: 2 },
    { name: 'role', header: t.role, min: 8, cell: ({ role }) => t.roles[role], rank: 1 },
    {
      name: 'since',
      header: t.since,
      min: 11,
      cell: ({ created_at }) => <Time at={created_at} />,
      rank: 2,
    },
  ];
  if (can('panel_change_member')) {
    columns.push({
      name: 'change',
      header: t.actions,
      min: 6,
      align: 'end',
      cell: (member) =>
        mayChange(member) && (
          <RowAction
            label={t.change}
            named={t.change_of(member.email)}
            run={() => change({ open: String(member.id) })}
          />
        ),
    });
  }
  return columns;
}
