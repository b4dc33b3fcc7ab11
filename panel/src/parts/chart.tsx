import '@mantine/charts/styles.layer.css';
import { AreaChart, BarChart } from '@mantine/charts';
import { useFormat } from '../shell/format.ts';

export interface ChartProps {
  /** Says what is on the x axis. */
  label: string;
  /** `at` is what the axis shows. */
  points: ({ at: string } & Record<string, number | string>)[];
  series: { name: string; label: string; color: string }[];
  kind?: 'area' | 'bars';
}

/** Loaded when it is first shown: the drawing is larger than all pages. */
export function Chart({ points, series, kind = 'area' }: ChartProps) {
  const { compact } = useFormat();
  const common = {
    h: '100%',
    data: points,
    dataKey: 'at',
    series: series.map(({ name, label, color }) => ({ name, label, color })),
    valueFormatter: compact,
    withLegend: series.length > 1,
    legendProps: { verticalAlign: 'bottom' as const, height: 28 },
    gridAxis: 'x' as const,
    tickLine: 'none' as const,
    yAxisProps: { width: 44, allowDecimals: false },
    xAxisProps: { minTickGap: 32 },
  };
  return kind === 'area' ? (
    <AreaChart {...common} curveType="monotone" withDots={false} strokeWidth={1.75} fillOpacity={0.12} />
  ) : (
    <BarChart {...common} type="stacked" maxBarWidth={36} />
  );
}
