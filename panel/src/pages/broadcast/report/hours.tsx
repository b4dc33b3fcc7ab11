import type { BroadcastReport } from '../../../api/operations.ts';
import { useMessages } from '../../../messages/use-messages.ts';
import { useFormat } from '../../../parts/app/format.ts';
import { ChartCard } from '../../../parts/chart-card.tsx';

const hourMs = 3_600_000;
/** Beyond that, the curve has gone flat and hours would be too narrow to read. */
const shownHours = 72;

/** Opens and clicks of people; hours in which nothing happened are part of the curve. */
export function Hours({ report: { hours } }: { report: BroadcastReport }) {
  const t = useMessages('broadcast_report');
  const { moment } = useFormat();
  const known = new Map(hours.map((each) => [Date.parse(each.at), each]));
  const first = Math.min(...known.keys());
  const last = Math.min(Math.max(...known.keys()), first + (shownHours - 1) * hourMs);
  const count = Math.round((last - first) / hourMs) + 1;
  const points = Array.from({ length: count }, (_each, index) => {
    const at = first + index * hourMs;
    const { opens = 0, clicks = 0 } = known.get(at) ?? {};
    return { at: moment(new Date(at)), opens, clicks };
  });
  return (
    <ChartCard
      title={t.by_hour}
      label={t.hour}
      kind="bars"
      points={points}
      series={[
        { name: 'opens', label: t.opens, color: 'var(--panel-accent)' },
        { name: 'clicks', label: t.clicks, color: 'var(--mantine-color-blue-6)' },
      ]}
    />
  );
}
