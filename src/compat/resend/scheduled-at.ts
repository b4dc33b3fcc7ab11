import type { Violation } from '../../base/errors/problem.ts';

const unitMs: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['sec', 1_000],
  ['second', 1_000],
  ['m', 60_000],
  ['min', 60_000],
  ['minute', 60_000],
  ['h', 3_600_000],
  ['hr', 3_600_000],
  ['hour', 3_600_000],
  ['d', 86_400_000],
  ['day', 86_400_000],
]);

const relative = /^in (\d{1,9}|an?) ?([a-z]+?)s?$/i;
/** ISO 8601 with an offset, a blank in place of the T and an offset of hours only among it. */
const absolute = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d(?::?\d\d)?)$/i;

/** RFC 3339, for a time as Resend takes it: ISO 8601, or `in 5 minutes`. */
export function readScheduledAt(
  text: string | undefined,
  now: Date,
  violations: Violation[],
): string | undefined {
  if (text === undefined || text === '') return undefined;
  const trimmed = text.trim();
  const [, count = '', unit = ''] = relative.exec(trimmed) ?? [];
  const ms = unitMs.get(unit.toLowerCase());
  if (ms !== undefined) {
    const after = /^an?$/i.test(count) ? 1 : Number(count);
    const at = now.getTime() + after * ms;
    // The rules of a schedule say how far is too far.
    return new Date(Math.min(at, now.getTime() + 366 * 86_400_000)).toISOString();
  }
  const [, day, minutes, seconds = ':00', offset = ''] = absolute.exec(trimmed) ?? [];
  if (day !== undefined) {
    const hours =
      offset.toUpperCase() === 'Z' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2).padStart(2, '0')}`;
    return `${day}T${minutes}${seconds}${offset.length === 3 ? `${offset}:00` : hours}`;
  }
  const message =
    'Chasqui reads `scheduled_at` as ISO 8601 with an offset, such as 2026-12-01T09:00:00Z, or as `in N minutes`, `in N hours` or `in N days`.';
  violations.push({ pointer: '/scheduled_at', code: 'value_error.date_time', message });
  return undefined;
}
