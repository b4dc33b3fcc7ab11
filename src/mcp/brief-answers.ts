import type { StatsOverview } from '../activity/index.ts';

type Answer = Record<string, unknown>;

const mostPoints = 14;
const longestBody = 300;

/** For the copy as text: a series of three months has 19,000 characters, most of them zeros. All of it is in structuredContent. */
export function briefStats(answer: Answer): unknown {
  const { series, ...whole } = answer as unknown as StatsOverview;
  const busy = series.filter(({ at: _at, ...counts }) => Object.values(counts).some((count) => count > 0));
  const shown = busy.slice(-mostPoints).map((point) => nonZero({ ...point }));
  const left_out = series.length - shown.length;
  const note = `${left_out} more are only in structuredContent: those without any mail, and all but the last ${mostPoints}.`;
  return {
    ...whole,
    totals: nonZero(whole.totals),
    series: shown,
    ...(left_out > 0 ? { series_note: note } : {}),
  };
}

function nonZero(counts: Answer): Answer {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

export function sayStats(answer: Answer): string {
  const { start_date, end_date, totals, rates } = answer as unknown as StatsOverview;
  const percent = (rate: number): string => `${(rate * 100).toFixed(1)} %`;
  const { received, sent, bounced, complaints } = totals;
  return `${start_date} to ${end_date}: ${received} received, ${sent} delivered (${percent(rates.delivery)}), ${bounced} bounced, ${complaints} complaints.`;
}

/** For the copy as text: the beginning of each legal text. */
export function briefTerms(answer: Answer): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) =>
      key === 'body' && typeof value === 'string' && value.length > longestBody
        ? `${value.slice(0, longestBody).toWellFormed()}… [the rest is in structuredContent]`
        : value,
    ),
  );
}
