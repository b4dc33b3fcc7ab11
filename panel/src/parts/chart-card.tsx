import { ActionIcon, Skeleton, Tooltip } from '@mantine/core';
import { IconChartAreaLine, IconTable } from '@tabler/icons-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import { Chart, type ChartProps } from './chart.tsx';
import { Section } from './detail.tsx';
import styles from './parts.module.css';

const PointTable = lazy(async () => ({ default: (await import('./point-table.tsx')).PointTable }));

/** Figures over time as a picture, or as the table that they are. */
export function ChartCard({
  title,
  actions,
  children,
  ...chart
}: Omit<ChartProps, 'points'> & {
  title: string;
  actions?: ReactNode;
  /** Below the chart. */
  children?: ReactNode;
  points: ChartProps['points'] | undefined;
}) {
  const t = useMessages('parts');
  const [asTable, setAsTable] = useState(false);
  const name = asTable ? t.show_chart : t.show_table;
  const toggle = (
    <Tooltip label={name}>
      <ActionIcon variant="subtle" color="gray" aria-label={name} onClick={() => setAsTable(!asTable)}>
        {asTable ? <IconChartAreaLine size={18} /> : <IconTable size={18} />}
      </ActionIcon>
    </Tooltip>
  );
  const { points } = chart;
  return (
    <Section
      title={title}
      actions={
        <span>
          {actions}
          {toggle}
        </span>
      }
    >
      <div className={styles['chart']}>
        <Suspense fallback={<Skeleton height="100%" />}>
          {points === undefined ? (
            <Skeleton height="100%" />
          ) : asTable ? (
            <PointTable {...chart} points={points} />
          ) : (
            <Chart {...chart} points={points} />
          )}
        </Suspense>
      </div>
      {children}
    </Section>
  );
}
