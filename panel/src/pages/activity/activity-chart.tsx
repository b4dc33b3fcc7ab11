import { useQuery } from '@tanstack/react-query';
import type { StatsPoint } from '../../api/operations.ts';
import { ChartCard } from '../../parts/chart-card.tsx';
import { useFormat } from '../../shell/format.ts';
import { useWords } from '../../shell/languages.ts';
import { useApi } from '../../shell/use-api.ts';
import { useActivityQuery } from './activity-query.ts';
import { words } from './words.ts';

type Figure = Exclude<keyof StatsPoint, 'at'>;

/** The figures of the range, of one sender where one is chosen; people alone are counted. */
export function ActivityChart({
  title,
  series,
}: {
  title: string;
  series: { name: Figure; label: string; color: string }[];
}) {
  const t = useWords(words);
  const api = useApi();
  const { day, hour } = useFormat();
  const { common, range } = useActivityQuery();
  const { start_date, end_date, sender_id, custom_group_code } = common;
  const interval = range === '24h' ? 'hour' : 'day';
  const query = { start_date, end_date, sender_id, custom_group_code, interval } as const;
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
