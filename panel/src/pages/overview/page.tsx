import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { ChartCard } from '../../parts/chart-card.tsx';
import { DetailLayout } from '../../parts/detail.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ProblemAlert } from '../../parts/problem-alert.tsx';
import { mailKindOf } from '../../parts/mail-kind.ts';
import { datesOf } from '../../parts/range.ts';
import { useFormat } from '../../parts/app/format.ts';
import { useInstance } from '../../parts/app/instance.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { useUrlState } from '../../parts/app/url-state.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { Attention } from './attention.tsx';
import { marksOf } from './marks-of.ts';
import { sandboxOf } from './figure-places.ts';
import { Figures } from './figures.tsx';
import { Standing } from './standing.tsx';
import { initialRange } from './initial-range.ts';
import styles from './overview.module.css';

/** Most people are done with them. */
const FirstSteps = lazy(async () => ({ default: (await import('./first-steps.tsx')).FirstSteps }));
/** Of forms and lists of choices, which the figures do not wait for. */
const Filters = lazy(async () => ({ default: (await import('./filters.tsx')).Filters }));
/** Below what is asked first. */
const Breakdown = lazy(async () => ({ default: (await import('./breakdown.tsx')).Breakdown }));
/** A few words below the chart. */
const Annotations = lazy(async () => ({ default: (await import('./annotations.tsx')).Annotations }));
const MarkMoment = lazy(async () => ({ default: (await import('./annotations.tsx')).MarkMoment }));
const dayMs = 86_400_000;

/** How it goes, in one look: figures against the range before, their course, and what needs somebody. */
export function Page() {
  const t = useMessages('overview');
  const api = useApi();
  const format = useFormat();
  const { timezone } = useInstance();
  const [state] = useUrlState();
  const { range = initialRange } = state;
  const dates = datesOf(range, timezone);
  const isShort = Date.parse(dates.end_date) - Date.parse(dates.start_date) <= 2 * dayMs;
  const interval = isShort ? 'hour' : 'day';
  const query = { ...dates, ...mailKindOf(state), sandbox: sandboxOf(state), interval } as const;
  const overview = useQuery(api.read('panel_get_overview', { query }));
  const { stats, before, latency, sandbox_received } = overview.data ?? {};
  const annotations = useQuery(api.read('panel_list_annotations', { query: { ...dates, page_size: 100 } }))
    .data?.data;
  const points = stats?.series.map(({ at, sent, bounced, deferred, dropped }) => ({
    at: isShort ? `${format.day(at)} ${format.hour(at)}` : format.day(at),
    sent,
    failed: bounced + dropped,
    deferred,
  }));
  return (
    <main>
      <PageHeader title={t.title} />
      <div className={styles['filters']}>
        <Suspense>
          <Filters />
        </Suspense>
      </div>
      <ProblemAlert problem={overview.error} />
      <Suspense>
        <FirstSteps />
      </Suspense>
      <Figures now={stats} before={before} sandbox={sandbox_received} place={{ ...state, range }} />
      <DetailLayout aside={<Standing latency={latency} />}>
        <ChartCard
          title={t.chart}
          label={isShort ? t.hour : t.day}
          points={points}
          series={[
            { name: 'sent', label: t.figures.sent, color: 'var(--panel-accent)' },
            { name: 'failed', label: t.figures.bounced, color: 'var(--panel-alarm)' },
          ]}
          marks={stats && marksOf(stats.series, annotations ?? [])}
          actions={
            <Suspense>
              <MarkMoment />
            </Suspense>
          }
        >
          {annotations && annotations.length > 0 && (
            <Suspense>
              <Annotations annotations={annotations} />
            </Suspense>
          )}
        </ChartCard>
        <Attention />
      </DetailLayout>
      <Suspense>
        <Breakdown query={query} />
      </Suspense>
    </main>
  );
}
