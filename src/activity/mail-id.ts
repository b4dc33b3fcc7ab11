import { Temporal } from 'temporal-polyfill';
import { Problem } from '../base/errors/problem.ts';

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const retention_months = 3;

/**
 * A mail's identifier, in its canonical form. What is none cannot name a mail; one whose time lies before the retention
 * window names a mail that is no longer online, and both are told without a look-up.
 */
export function requireMailId(text: string, now: Date): string {
  const id = text.toLowerCase();
  if (!form.test(id)) throw new Problem('mail_not_found');
  const received = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  const oldest = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO('UTC')
    .subtract({ months: retention_months });
  if (received < oldest.epochMilliseconds) throw new Problem('mail_outside_retention');
  return id;
}
