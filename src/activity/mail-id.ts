import { Problem } from '../base/errors/problem.ts';
import { retentionStart } from '../mails/index.ts';

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Validates a mail id. Both errors are decided without a look-up: an invalid id is unknown, and the time in the id
 * tells whether it is past retention.
 */
export function requireMailId(text: string, now: Date, retentionMonths: number): string {
  return requireId(text, 'mail_not_found', { now, retentionMonths });
}

/** Likewise; mails have the time of their message. */
export function requireMessageId(text: string, now: Date, retentionMonths: number): string {
  return requireId(text, 'message_not_found', { now, retentionMonths });
}

function requireId(
  text: string,
  unknown: 'mail_not_found' | 'message_not_found',
  { now, retentionMonths }: { now: Date; retentionMonths: number },
): string {
  const id = text.toLowerCase();
  if (!form.test(id)) throw new Problem(unknown);
  if (millisecondsOf(id) < retentionStart(now, retentionMonths).getTime()) {
    throw new Problem('mail_outside_retention');
  }
  return id;
}

/**
 * SQL for the lowest identifier of an event of the mail: older partitions are not read. A day before the mail, since the
 * clock of the database may have been set back meanwhile.
 */
export function firstEventOf(mailId: string): string {
  return `uuid_at(uuid_time(${mailId}) - interval '1 day')`;
}

/** The timestamp of a UUIDv7. */
export function millisecondsOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
