import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Operations } from '../../api/operations.ts';
import { ChartCard } from '../../parts/chart-card.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { Section } from '../../parts/detail.tsx';
import { datesOf } from '../../parts/range.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';

type Source = Operations['panel_get_dmarc_summary']['result']['sources'][number];

/** As many as a chart can name. */
const mostShown = 12;

/** What receivers report about mail in the name of the domain, by where it came from. */
export function DmarcReports({ id }: { id: number }) {
  const t = useMessages('domain');
  const api = useApi();
  const { timezone } = useInstance();
  const { number } = useFormat();
  const query = datesOf('30d', timezone);
  const { data } = useQuery(api.read('panel_get_dmarc_summary', { params: { id }, query }));
  if (!data) return <Skeleton height={120} radius="lg" />;
  if (data.sources.length === 0) {
    return (
      <Section title={t.dmarc_reports}>
        <Text c="dimmed">{t.no_reports}</Text>
      </Section>
    );
  }
  const points = data.sources
    .slice(0, mostShown)
    .map(({ source_ip, messages, passed }) => ({ at: source_ip, passed, failed: messages - passed }));
  return (
    <>
      <ChartCard
        title={t.by_source}
        label={t.source}
        kind="bars"
        points={points}
        series={[
          { name: 'passed', label: t.passed, color: 'var(--panel-accent)' },
          { name: 'failed', label: t.failed, color: 'var(--panel-alarm)' },
        ]}
      />
      <Section title={t.dmarc_reports} flush>
        <Text c="dimmed" size="sm" px="md" pb="sm">
          {t.dmarc_about}
        </Text>
        <DataList<Source>
          label={t.dmarc_reports}
          rows={data.sources}
          idOf={({ source_ip }) => source_ip}
          columns={[
            { name: 'source', header: t.source, cell: ({ source_ip }) => source_ip },
            {
              name: 'messages',
              header: t.messages,
              min: 7,
              align: 'end',
              cell: ({ messages }) => number(messages),
            },
            {
              name: 'passed',
              header: t.passed,
              min: 7,
              align: 'end',
              cell: ({ passed }) => number(passed),
            },
            {
              name: 'aligned',
              header: t.aligned,
              isNumber: true,
              min: 11,
              align: 'end',
              rank: 1,
              cell: ({ dkim_aligned, spf_aligned }) => `${number(dkim_aligned)} / ${number(spf_aligned)}`,
            },
          ]}
        />
      </Section>
    </>
  );
}
