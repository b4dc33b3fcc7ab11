import { Stack } from '@mantine/core';
import { IconCornerUpLeft } from '@tabler/icons-react';
import type { Bounce } from '../../api/operations.ts';
import { Marked, type Column } from '../../parts/data-list.tsx';
import { MailMarks } from '../../parts/mail-marks.tsx';
import { ListBody } from '../../parts/list-page.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { ActivityChart } from './activity-chart.tsx';
import { useActivityQuery, useBounceFilters } from './activity-query.ts';
import { placeOf } from './place.ts';

const tones: Record<NonNullable<Bounce['type']>, Tone> = { hard: 'bad', soft: 'warn', block: 'info' };

export function Bounces() {
  const t = useMessages('activity');
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
        empty={{ icon: IconCornerUpLeft, title: t.no_bounces, about: t.no_bounces_about }}
      />
    </Stack>
  );
}

function useColumns(): Column<Bounce>[] {
  const t = useMessages('activity');
  return [
    {
      name: 'to',
      header: t.recipient,
      cell: ({ to, test_mode }) => <Marked badge={<MailMarks to={to} test_mode={test_mode} />}>{to}</Marked>,
    },
    {
      name: 'type',
      header: t.type,
      min: 8,
      cell: ({ type }) => type && <StatusBadge tone={tones[type]}>{t.types[type]}</StatusBadge>,
    },
    {
      name: 'said',
      header: t.said,
      min: 10,
      grow: 3,
      cell: ({ diagnostic, smtp_code }) => (
        <span title={diagnostic ?? undefined}>{diagnostic ?? smtp_code ?? '—'}</span>
      ),
      rank: 2,
    },
    {
      name: 'host',
      header: t.host,
      min: 10,
      grow: 1,
      cell: ({ remote_host }) => remote_host ?? '—',
      rank: 3,
    },
    {
      name: 'at',
      header: t.bounced,
      min: 11,
      align: 'end',
      cell: ({ bounced_at }) => <Time at={bounced_at} />,
      rank: 1,
    },
  ];
}
