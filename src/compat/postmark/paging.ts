import { Temporal } from 'temporal-polyfill';
import { validationProblem } from '../../base/errors/problem.ts';

const maxCount = 500;
/** What lies deeper is found by narrower dates. */
const max_depth = 10_000;

/** `count` and `offset`. */
export function readPage(query: URLSearchParams): { count: number; offset: number } {
  const count = integer(query, 'count', 100);
  const offset = integer(query, 'offset', 0);
  if (count < 1 || count > maxCount) throw refused('count', `count is a number from 1 to ${maxCount}.`);
  if (count + offset > max_depth)
    throw refused('offset', `count and offset together are at most ${max_depth}.`);
  return { count, offset };
}

function integer(query: URLSearchParams, name: string, fallback: number): number {
  const given = query.get(name);
  if (given === null || given === '') return fallback;
  if (!/^\d{1,9}$/.test(given)) throw refused(name, `${name} is a whole number.`);
  return Number(given);
}

/** Names are compared without case: clients write them in several. A filter that is not known would find too much. */
export function readFilters<Name extends string>(
  query: URLSearchParams,
  known: readonly Name[],
): Partial<Record<Name, string>> & { metadata: [string, string][] } {
  const filters: Partial<Record<string, string>> = {};
  const metadata: [string, string][] = [];
  for (const [name, value] of query) {
    const lower = name.toLowerCase();
    if (lower === 'count' || lower === 'offset' || value === '') continue;
    if (lower.startsWith('metadata_')) metadata.push([name.slice('metadata_'.length), value]);
    else if ((known as readonly string[]).includes(lower)) filters[lower] = value;
    else throw refused(name, `Chasqui does not know the filter ${name}.`);
  }
  return { ...(filters as Partial<Record<Name, string>>), metadata };
}

/** A date, which is a day in UTC, or a moment. `end` is the moment after it. */
export function readMoment(name: string, text: string | undefined, end: boolean): Date | undefined {
  if (text === undefined) return undefined;
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) {
      const day = Temporal.PlainDate.from(text).add({ days: end ? 1 : 0 });
      return new Date(day.toZonedDateTime('UTC').epochMilliseconds);
    }
    const moment = /[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`;
    return new Date(Temporal.Instant.from(moment).epochMilliseconds);
  } catch {
    throw refused(name, `${name} is a date such as 2026-12-01, or a time such as 2026-12-01T12:00:00Z.`);
  }
}

export function refused(pointer: string, message: string) {
  return validationProblem([{ pointer: `/${pointer}`, code: 'value_error', message }]);
}
