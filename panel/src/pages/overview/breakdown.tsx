import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Input } from '../../api/request.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { ChartCard } from '../../parts/chart-card.tsx';
import { Section } from '../../parts/detail.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import styles from './overview.module.css';

type Query = NonNullable<Input<'panel_get_stats_breakdown'>['query']>;

/** To which providers mail goes, and at which hour. */
export function Breakdown({ query }: { query: Query }) {
  const t = useMessages('overview');
  const api = useApi();
  const { number, percent } = useFormat();
  const { data, error } = useQuery(api.read('panel_get_stats_breakdown', { query }));
  if (error) return <ProblemAlert problem={error} />;
  if (data?.providers.length === 0) return null;
  return (
    <div className={styles['breakdown']}>
      <ChartCard
        title={t.by_hour}
        label={t.hour}
        kind="bars"
        points={data?.hours.map(({ hour, sent }) => ({ at: String(hour).padStart(2, '0'), sent }))}
        series={[{ name: 'sent', label: t.figures.sent, color: 'var(--panel-accent)' }]}
      />
      <Section title={t.by_provider}>
        <Table aria-label={t.by_provider} verticalSpacing={6} horizontalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.provider}</Table.Th>
              <Table.Th ta="end" visibleFrom="sm">
                {t.figures.received}
              </Table.Th>
              <Table.Th ta="end">{t.figures.sent}</Table.Th>
              <Table.Th ta="end">{t.figures.bounced}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data?.providers.map(({ provider, received, sent, bounced }) => (
              <Table.Tr key={provider}>
                <Table.Th scope="row" fw={400} className={styles['provider']}>
                  {provider}
                </Table.Th>
                <Table.Td ta="end" visibleFrom="sm">
                  {number(received)}
                </Table.Td>
                <Table.Td ta="end">{percent(sent / received)}</Table.Td>
                <Table.Td ta="end">{percent(bounced / received)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {data && (
          <Text size="xs" c="dimmed" mt="xs">
            {t.sampled(data.sampled)}
          </Text>
        )}
      </Section>
    </div>
  );
}
