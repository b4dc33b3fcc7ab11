import type { InstallationNode } from '../../api/operations.ts';
import { readOf } from '../../api/read.ts';
import type { Column } from '../../parts/data-list.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useWords } from '../../shell/languages.ts';
import { PlainList } from './plain-list.tsx';
import { words } from './words.ts';

const every_ms = 10_000;

/** Processes as they report themselves, read again while one looks. */
export function Nodes() {
  const t = useWords(words);
  const columns: Column<InstallationNode>[] = [
    { name: 'node', header: t.node, cell: ({ id, place, pid }) => `${place ?? id} · ${pid}` },
    {
      name: 'state',
      header: t.state,
      width: '9rem',
      cell: ({ is_alive }) => (
        <StatusBadge tone={is_alive ? 'good' : 'bad'}>{is_alive ? t.alive : t.dead}</StatusBadge>
      ),
    },
    { name: 'roles', header: t.roles, width: '28%', cell: ({ roles }) => roles.join(', '), from: 'sm' },
    { name: 'version', header: t.version, width: '6rem', cell: ({ version }) => version, from: 'md' },
    {
      name: 'started',
      header: t.started,
      width: '11rem',
      cell: ({ started_at }) => <Time at={started_at} />,
      from: 'lg',
    },
    {
      name: 'seen',
      header: t.seen,
      width: '8rem',
      cell: ({ seen_at }) => <Time at={seen_at} as="relative" />,
      from: 'md',
    },
  ];
  return (
    <PlainList
      label={t.nodes}
      query={{ ...readOf('operator_list_nodes', {}), refetchInterval: every_ms }}
      columns={columns}
      idOf={({ id }) => id}
    />
  );
}
