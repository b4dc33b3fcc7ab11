import { Button, Group, Stack } from '@mantine/core';
import { IconPlus, IconRoute } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SourceAddress } from '../../api/operations.ts';
import { readOf } from '../../api/read.ts';
import { RowAction } from '../../parts/actions.tsx';
import type { Column } from '../../parts/data-list.tsx';
import { Facts, Section } from '../../parts/detail.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { toast } from '../../parts/toast.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useAccountChange } from '../../parts/app/use-account.ts';
import { PlainList } from './plain-list.tsx';
import { AddSource, AssignPool } from './source-dialogs.tsx';

const query = readOf('panel_operator_list_sources', {});

/** Where mail leaves from, and how far each address has warmed up. */
export function Sources() {
  const t = useMessages('operator');
  const [asking, setAsking] = useState<'add' | 'assign'>();
  const assignments = useQuery(query).data?.assignments ?? [];
  const close = (): void => setAsking(undefined);
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Button leftSection={<IconPlus size={16} />} onClick={() => setAsking('add')}>
          {t.add_source}
        </Button>
        <Button variant="default" onClick={() => setAsking('assign')}>
          {t.assign}
        </Button>
      </Group>
      <PlainList
        label={t.sources}
        query={query}
        columns={useColumns()}
        idOf={({ address }) => address}
        empty={
          <EmptyState icon={IconRoute} title={t.no_sources}>
            {t.no_sources_about}
          </EmptyState>
        }
      />
      {assignments.length > 0 && (
        <Section title={t.assignments}>
          <Facts facts={assignments.map(({ instance, pool }) => ({ name: instance, value: pool }))} />
        </Section>
      )}
      <AddSource opened={asking === 'add'} onClose={close} />
      <AssignPool opened={asking === 'assign'} onClose={close} />
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
