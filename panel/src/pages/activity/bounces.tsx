import { Stack } from '@mantine/core';
import { IconCornerUpLeft } from '@tabler/icons-react';
import type { Bounce } from '../../api/operations.ts';
import type { Column } from '../../parts/data-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useWords } from '../../shell/languages.ts';
import { useApi } from '../../shell/use-api.ts';
import { ActivityChart } from './activity-chart.tsx';
import { useActivityQuery, useBounceFilters } from './activity-query.ts';
import { placeOf } from './place.ts';
import { words } from './words.ts';

const tones: Record<NonNullable<Bounce['type']>, Tone> = { hard: 'bad', soft: 'warn', block: 'info' };

export function Bounces() {
  const t = useWords(words);
  const api = useApi();
  const { common, type, page } = useActivityQuery();
  return (
    <Stack gap="md">
      <ActivityChart
        title={t.bounces_chart}
        series={[{ name: 'bounced', label: t.bounces, color: 'var(--panel-alarm)' }]}
      />
      <ListBody
        label={t.bounces}
        filters={useBounceFilters()}
        query={api.read('panel_list_bounces', { query: { ...common, type, page } })}
        columns={useColumns()}
        idOf={({ mail_id, bounced_at }) => `${mail_id} ${bounced_at}`}
        to={placeOf}
        empty={
          <EmptyState icon={IconCornerUpLeft} title={t.no_bounces}>
            {t.no_bounces_about}
          </EmptyState>
        }
      />
    </Stack>
  );
}

function useColumns(): Column<Bounce>[] {
  const t = useWords(words);
  return [
    { name: 'to', header: t.recipient, cell: ({ to }) => to },
    {
      name: 'type',
      header: t.type,
      width: '8rem',
      cell: ({ type }) => type && <StatusBadge tone={tones[type]}>{t.types[type]}</StatusBadge>,
    },
    {
      name: 'said',
      header: t.said,
      width: '30%',
      cell: ({ diagnostic, smtp_code }) => (
        <span title={diagnostic ?? undefined}>{diagnostic ?? smtp_code ?? '—'}</span>
      ),
      from: 'md',
    },
    { name: 'host', header: t.host, width: '12%', cell: ({ remote_host }) => remote_host ?? '—', from: 'lg' },
    {
      name: 'at',
      header: t.bounced,
      width: '11rem',
      align: 'end',
      cell: ({ bounced_at }) => <Time at={bounced_at} />,
      from: 'sm',
    },
  ];
}
