import { storableText } from '../base/db/storable-text.ts';
import type { AttemptDetails, Outcome } from './outcome.ts';

/**
 * Outcomes are stored in batches and contain text from remote servers: one value that PostgreSQL refuses would fail the
 * whole batch, so all are made storable here. Identifiers come from the database and are trusted.
 */

const maxTextLength = 10_000;
const maxReasonLength = 500;
/** Below this length of the JSON no text in it can be too long. */
const maxJsonLength = maxTextLength;
/** JavaScript and PostgreSQL format times alike up to this year. */
const endOfTime = Date.UTC(10_000, 0);

const isWritable = (at: Date): boolean => at.getTime() > 0 && at.getTime() < endOfTime;

/** The statement replaces infinite times. */
export function timestampText(at: Date): string {
  return isWritable(at) ? at.toISOString() : '-infinity';
}

/** Time for the identifier of the event; the statement replaces it together with the event's time. */
export function idTimestamp(at: Date): Date {
  return isWritable(at) ? at : new Date(0);
}

export function reasonText(outcome: Outcome): string | null {
  if (!('reason' in outcome)) return null;
  return bounded(outcome.reason, maxReasonLength);
}

/** The details of the attempt as JSON; characters that PostgreSQL refuses are replaced. */
export function detailsJson(outcome: Outcome): string {
  const data = dataOf(outcome);
  const json = JSON.stringify(data);
  return json.length > maxJsonLength || unstorable.test(json) ? JSON.stringify(data, storable) : json;
}

function dataOf(outcome: Outcome): Record<string, unknown> {
  return {
    ...outcome.details,
    ...numbersOf(outcome.details),
    ...('type' in outcome ? { type: outcome.type } : {}),
    ...('next_attempt_at' in outcome && isWritable(outcome.next_attempt_at)
      ? { next_attempt_at: outcome.next_attempt_at.toISOString() }
      : {}),
  };
}

/** Queries cast them to integers. */
function numbersOf({
  attempt,
  smtp_code,
  duration_ms,
}: AttemptDetails): Pick<AttemptDetails, 'smtp_code' | 'duration_ms'> & { attempt: number | undefined } {
  return {
    attempt: wholeNumber(attempt, 32_767),
    smtp_code: wholeNumber(smtp_code, 999),
    duration_ms: wholeNumber(duration_ms, 2 ** 31 - 1),
  };
}

/** Undefined, and so left out of the JSON, when out of range. */
function wholeNumber(value: number | undefined, max: number): number | undefined {
  const whole = Math.round(value ?? Number.NaN);
  return whole >= 0 && whole <= max ? whole : undefined;
}

/** NUL and halves of surrogate pairs, as JSON writes them. */
const unstorable = /\\u(?:0000|d[89a-f])/;

function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? bounded(value, maxTextLength) : value;
}

function bounded(text: string, max_length: number): string {
  return storableText(text.length > max_length ? text.slice(0, max_length) : text);
}
