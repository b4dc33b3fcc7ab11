import { Temporal } from 'temporal-polyfill';
import type { Violation } from '../base/errors/problem.ts';

/** Contract §16: how far ahead a mail can be scheduled. */
export const maxScheduleDays = 60;

const dayMs = 86_400_000;
/** RFC 3339 §5.6, with its offset. */
const form = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

interface Scheduling {
  now: Date;
  /** When the mail was accepted; now when it is being accepted. */
  received_at?: Date;
  retention_months: number;
}

/** When a mail is to be sent; null is now, as is a time that has passed. */
export function readSchedule(
  text: string,
  { now, received_at = now, retention_months }: Scheduling,
): { schedule_at: Date | null; violations: Violation[] } {
  const at = readTimestamp(text);
  if (!at) {
    const message = 'This is not an RFC 3339 timestamp with an offset, such as 2026-12-01T09:00:00-03:00';
    return refused('value_error.date_time', message);
  }
  const latest = latestSchedule(received_at, retention_months);
  if (at > latest) {
    const message = `A mail can be scheduled for ${latest.toISOString()} at the latest: ${maxScheduleDays} days after it was accepted, or the end of its retention`;
    return refused('value_error.schedule_too_late', message, { latest: latest.toISOString() });
  }
  return { schedule_at: at > now ? at : null, violations: [] };
}

function refused(code: string, message: string, params?: Record<string, unknown>) {
  return {
    schedule_at: null,
    violations: [{ pointer: '/schedule_at', code, message, ...(params && { params }) }],
  };
}

/** Undefined when it is not a timestamp, or names a day that its month does not have. */
function readTimestamp(text: string): Date | undefined {
  const [, year = '', month = '', day = ''] = form.exec(text) ?? [];
  const at = new Date(text.toUpperCase());
  if (day === '' || Number.isNaN(at.getTime())) return undefined;
  // `new Date` takes 30 February for 2 March.
  const isDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  return isDay ? at : undefined;
}

/**
 * Counts from the reception, also when the mail is rescheduled: record and content of a mail are kept for as long from then,
 * and bounces, opens and unsubscribes must still find them.
 */
function latestSchedule(received_at: Date, retention_months: number): Date {
  const kept = Temporal.Instant.fromEpochMilliseconds(received_at.getTime())
    .toZonedDateTimeISO('UTC')
    .add({ months: retention_months }).epochMilliseconds;
  return new Date(Math.min(received_at.getTime() + maxScheduleDays * dayMs, kept));
}
