import { Problem } from '../base/errors/problem.ts';
import { retentionStart } from '../mails/index.ts';

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * A mail's identifier, in its canonical form. What is none cannot name a mail; one whose time lies before the retention
 * window names a mail that is no longer online, and both are told without a look-up.
 */
export function requireMailId(text: string, now: Date, retentionMonths: number): string {
  const id = text.toLowerCase();
  if (!form.test(id)) throw new Problem('mail_not_found');
  if (millisecondsOf(id) < retentionStart(now, retentionMonths).getTime()) {
    throw new Problem('mail_outside_retention');
  }
  return id;
}

/** The moment inside a UUIDv7. */
export function millisecondsOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
