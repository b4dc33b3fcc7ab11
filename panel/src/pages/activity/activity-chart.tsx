import { useQuery } from '@tanstack/react-query';
import type { StatsPoint } from '../../api/operations.ts';
import { ChartCard } from '../../parts/chart-card.tsx';
import { useFormat } from '../../parts/app/format.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { useActivityQuery } from './activity-query.ts';

type Figure = Exclude<keyof StatsPoint, 'at'>;

/** The figures of the range, of one sender, category or group where one is chosen; they count people, and no tests. */
export function ActivityChart({
  title,
  series,
}: {
  title: string;
  series: { name: Figure; label: string; color: string }[];
}) {
  const t = useMessages('activity');
  const api = useApi();
  const { day, hour } = useFormat();
  const { common, range } = useActivityQuery();
  const { start_date, end_date, sender_id, category, custom_group_code } = common;
  const interval = range === '24h' ? 'hour' : 'day';
  const query = { start_date, end_date, sender_id, category, custom_group_code, interval } as const;
  const { data } = useQuery(api.read('panel_get_stats_overview', { query }));
  const points = data?.series.map((point) => ({
    ...point,
    at: interval === 'hour' ? `${day(point.at)} ${hour(point.at)}` : day(point.at),
  }));
  return (
    <ChartCard
      title={title}
      label={interval === 'hour' ? t.hour : t.day}
      points={points}
      series={series}
      kind={series.length > 1 ? 'area' : 'bars'}
    />
  );
}
