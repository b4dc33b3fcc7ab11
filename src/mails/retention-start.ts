import { Temporal } from 'temporal-polyfill';

/** The moment from which on mail is kept online: so many calendar months ago, in UTC. */
export function retentionStart(now: Date, months: number): Date {
  const start = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO('UTC')
    .subtract({ months });
  return new Date(start.epochMilliseconds);
}
