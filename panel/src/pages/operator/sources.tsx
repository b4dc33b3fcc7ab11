import { Group, Stack } from '@mantine/core';
import { IconArrowsSplit, IconRoute } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { SourceAddress } from '../../api/operations.ts';
import { readOf } from '../../api/read.ts';
import { AddButton } from '../../parts/add-button.tsx';
import { RowAction } from '../../parts/actions.tsx';
import type { Column } from '../../parts/data-list.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { Facts, Section } from '../../parts/detail.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useAccountChange } from '../../parts/app/use-account.ts';
import { AddSource, AssignPool } from './source-dialogs.tsx';

const query = readOf('panel_operator_list_sources', {});

/** Where mail leaves from, and how far each address has warmed up. */
export function Sources() {
  const t = useMessages('operator');
  const assignments = useQuery(query).data?.assignments ?? [];
  return (
    <Stack gap="md">
      <Group gap="xs">
        <AddButton label={t.add_source} dialog={(state) => <AddSource {...state} />} />
        <AddButton
          variant="default"
          label={t.assign}
          icon={IconArrowsSplit}
          dialog={(state) => <AssignPool {...state} />}
        />
      </Group>
      <ListBody
        label={t.sources}
        query={query}
        columns={useColumns()}
        idOf={({ address }) => address}
        empty={{ icon: IconRoute, title: t.no_sources, about: t.no_sources_about }}
      />
      {assignments.length > 0 && (
        <Section title={t.assignments}>
          <Facts facts={assignments.map(({ instance, pool }) => ({ name: instance, value: pool }))} />
        </Section>
      )}
    </Stack>
  );
}

function useColumns(): Column<SourceAddress>[] {
  const t = useMessages('operator');
  const remove = useAccountChange('panel_operator_remove_source', () => toast(t.source_removed));
  const { number } = useFormat();
  return [
    { name: 'address', header: t.source, cell: ({ address }) => address },
    { name: 'ehlo', header: t.ehlo, min: 10, grow: 2, cell: ({ ehlo_name }) => ehlo_name, rank: 2 },
    { name: 'pool', header: t.pool, min: 7, cell: ({ pool }) => pool, rank: 1 },
    {
      name: 'warm',
      header: t.warm_up,
      min: 15,
      cell: ({ warm_up_day, daily_cap }) =>
        warm_up_day === null ? (
          <StatusBadge tone="good">{t.warm}</StatusBadge>
        ) : (
          t.warming(warm_up_day, number(daily_cap ?? 0))
        ),
      rank: 1,
    },
    {
      name: 'used',
      header: t.used,
      min: 10,
      grow: 2,
      cell: ({ used_today }) =>
        used_today.map(({ provider, used }) => `${provider} ${number(used)}`).join(', ') || '—',
      rank: 3,
    },
    {
      name: 'remove',
      header: t.actions,
      min: 7,
      align: 'end',
      cell: ({ address }) => (
        <RowAction
          label={t.remove}
          named={t.remove_of(address)}
          about={t.remove_source_about(address)}
          isDangerous
          run={async () => await remove.mutateAsync({ params: { address } })}
        />
      ),
    },
  ];
}
