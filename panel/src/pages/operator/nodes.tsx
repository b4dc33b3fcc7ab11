import type { InstallationNode } from '../../api/operations.ts';
import { readOf } from '../../api/read.ts';
import type { Column } from '../../parts/data-list.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';

const every_ms = 10_000;

/** Processes as they report themselves, read again while one looks. */
export function Nodes() {
  const t = useMessages('operator');
  const columns: Column<InstallationNode>[] = [
    { name: 'node', header: t.node, cell: ({ id, place, pid }) => `${place ?? id} · ${pid}` },
    {
      name: 'state',
      header: t.state,
      min: 9,
      cell: ({ is_alive }) => (
        <StatusBadge tone={is_alive ? 'good' : 'bad'}>{is_alive ? t.alive : t.dead}</StatusBadge>
      ),
    },
    { name: 'roles', header: t.roles, min: 12, grow: 3, cell: ({ roles }) => roles.join(', '), rank: 1 },
    { name: 'version', header: t.version, min: 6, cell: ({ version }) => version, rank: 2 },
    {
      name: 'started',
      header: t.started,
      min: 11,
      cell: ({ started_at }) => <Time at={started_at} />,
      rank: 3,
    },
    {
      name: 'seen',
      header: t.seen,
      min: 8,
      cell: ({ seen_at }) => <Time at={seen_at} as="relative" />,
      rank: 2,
    },
  ];
  return (
    <ListBody
      label={t.nodes}
      query={{ ...readOf('operator_list_nodes', {}), refetchInterval: every_ms }}
      columns={columns}
      idOf={({ id }) => id}
    />
  );
}
