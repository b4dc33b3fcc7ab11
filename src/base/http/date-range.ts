import { Temporal } from 'temporal-polyfill';
import { Problem } from '../errors/problem.ts';

interface DateRangeQuery {
  start_date?: string | null;
  end_date?: string | null;
  tz?: string | null;
}

export interface DateRange {
  /** First instant of the range. */
  from: Date;
  /** First instant after the range: `end_date` is inclusive. */
  until: Date;
  timezone: string;
}

interface Defaults {
  now: Date;
  timezone: string;
  months: number;
}

/**
 * Local dates become moments in the zone asked for, which may have days of 23 or 25 hours. Without dates the range
 * is the last `months` months up to the end of today; only a start in the future is its day, on which nothing happened yet.
 */
export function readDateRange(query: DateRangeQuery, defaults: Defaults): DateRange {
  const timezone = knownTimezone(query.tz) ?? knownTimezone(defaults.timezone) ?? 'UTC';
  const today = Temporal.Instant.fromEpochMilliseconds(defaults.now.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate();
  const given = parseDate('start_date', query.start_date);
  const end = parseDate('end_date', query.end_date) ?? later(today, given);
  const start = given ?? end.subtract({ months: defaults.months });
  if (Temporal.PlainDate.compare(start, end) > 0) {
    throw new Problem('bad_request', { detail: 'start_date must not be after end_date.' });
  }
  const instant = (date: Temporal.PlainDate): Date =>
    new Date(date.toZonedDateTime(timezone).epochMilliseconds);
  return { from: instant(start), until: instant(end.add({ days: 1 })), timezone };
}

function later(today: Temporal.PlainDate, start: Temporal.PlainDate | undefined): Temporal.PlainDate {
  return start && Temporal.PlainDate.compare(start, today) > 0 ? start : today;
}

function parseDate(name: string, text: string | null | undefined): Temporal.PlainDate | undefined {
  if (text === undefined || text === null) return undefined;
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch {
    // Of the right form but no day of the calendar, like 2026-02-30: told below.
  }
  throw new Problem('bad_request', { detail: `${name} must be a date of the form YYYY-MM-DD.` });
}

/** The zone when it is an IANA name, else undefined: offsets such as +03:00 are not zones here. */
export function knownTimezone(name: string | null | undefined): string | undefined {
  if (!name || !/^[A-Za-z]/.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
