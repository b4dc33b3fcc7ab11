import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { ChartCard } from '../../parts/chart-card.tsx';
import { DetailLayout } from '../../parts/detail.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { RangePicker } from '../../parts/range-picker.tsx';
import { datesOf } from '../../parts/range.ts';
import { useFormat } from '../../shell/format.ts';
import { useInstance } from '../../shell/instance.tsx';
import { useWords } from '../../shell/languages.ts';
import { useUrlState } from '../../shell/url-state.ts';
import { useApi } from '../../shell/use-api.ts';
import { Attention } from './attention.tsx';
import { Figures } from './figures.tsx';
import { Standing } from './standing.tsx';
import { words } from './words.ts';

/** Most people are done with them. */
const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }));
const day_ms = 86_400_000;

/** How it goes, in one look: figures against the range before, their course, and what needs somebody. */
export function Page() {
  const t = useWords(words);
  const api = useApi();
  const format = useFormat();
  const { timezone } = useInstance();
  const [{ range = '30d' }, change] = useUrlState();
  const dates = datesOf(range, timezone);
  const isShort = Date.parse(dates.end_date) - Date.parse(dates.start_date) <= 2 * day_ms;
  const interval = isShort ? 'hour' : 'day';
  const overview = useQuery(api.read('panel_get_overview', { query: { ...dates, interval } }));
  const { stats, before, latency } = overview.data ?? {};
  const points = stats?.series.map(({ at, sent, bounced, deferred, dropped }) => ({
    at: isShort ? `${format.day(at)} ${format.hour(at)}` : format.day(at),
    sent,
    failed: bounced + dropped,
    deferred,
  }));
  return (
    <main>
      <PageHeader
        title={t.title}
        actions={
          <RangePicker
            value={range}
            onChange={(chosen) => change({ range: chosen === '30d' ? undefined : chosen })}
          />
        }
      />
      <ProblemAlert problem={overview.error} />
      <Suspense>
        <FirstSteps />
      </Suspense>
      <Figures now={stats} before={before} />
      <DetailLayout aside={<Standing latency={latency} />}>
        <ChartCard
          title={t.chart}
          label={isShort ? t.hour : t.day}
          points={points}
          series={[
            { name: 'sent', label: t.figures.sent, color: 'var(--panel-accent)' },
            { name: 'failed', label: t.figures.bounced, color: 'var(--panel-alarm)' },
          ]}
        />
        <Attention />
      </DetailLayout>
    </main>
  );
}
