import { storableText } from '../base/db/storable-text.ts';
import type { AttemptDetails, Outcome } from './outcome.ts';

/**
 * Outcomes are written many at a time, and remote servers have a say in them: what one of them cannot be stored with is put
 * right here, or all would fail. Identifiers are trusted: they come from the database.
 */

const max_text_length = 10_000;
const max_reason_length = 500;
/** Of a row as JSON; only above it can a text in it be too long. */
const max_json_length = max_text_length;
/** Times that both sides write the same way, with a year of four digits. */
const end_of_time = Date.UTC(10_000, 0);

const isWritable = (at: Date): boolean => at.getTime() > 0 && at.getTime() < end_of_time;

/** As the statement takes it, which replaces what is not finite. */
export function timestampText(at: Date): string {
  return isWritable(at) ? at.toISOString() : '-infinity';
}

/** For the identifier of the event, whose time the statement replaces along with it. */
export function idTimestamp(at: Date): Date {
  return isWritable(at) ? at : new Date(0);
}

export function reasonText(outcome: Outcome): string | null {
  if (!('reason' in outcome)) return null;
  return bounded(outcome.reason, max_reason_length);
}

/** What is kept of the attempt as JSON. What the store would not take is replaced in its texts, so that it shows. */
export function detailsJson(outcome: Outcome): string {
  const data = dataOf(outcome);
  const json = JSON.stringify(data);
  return json.length > max_json_length || unstorable.test(json) ? JSON.stringify(data, storable) : json;
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

/** Lists read them as integers. */
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

/** Undefined, and so left out of JSON, where it is none from 0 to `most`. */
function wholeNumber(value: number | undefined, most: number): number | undefined {
  const whole = Math.round(value ?? Number.NaN);
  return whole >= 0 && whole <= most ? whole : undefined;
}

/** NUL and halves of surrogate pairs, as JSON writes them. */
const unstorable = /\\u(?:0000|d[89a-f])/;

function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? bounded(value, max_text_length) : value;
}

function bounded(text: string, longest: number): string {
  return storableText(text.length > longest ? text.slice(0, longest) : text);
}
