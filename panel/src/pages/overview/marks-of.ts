import type { Annotation, StatsPoint } from '../../api/operations.ts';
import type { ChartMark } from '../../parts/chart.tsx';

/** Each annotation at the hour or day in which it lies; the chart reads from left to right. */
export function marksOf(
  series: Pick<StatsPoint, 'at'>[],
  annotations: Pick<Annotation, 'id' | 'text' | 'at'>[],
): ChartMark[] {
  return annotations
    .map(({ id, text, at }) => ({
      id,
      text,
      index: series.findLastIndex((point) => Date.parse(point.at) <= Date.parse(at)),
    }))
    .filter(({ index }) => index >= 0)
    .toReversed();
}
