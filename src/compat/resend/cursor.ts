import { validationProblem } from '../../base/errors/problem.ts';

interface Cursor<Key> {
  limit: number;
  /** Older ones than this. */
  after: Key | undefined;
  /** Newer ones than this. */
  before: Key | undefined;
}

const defaultLimit = 20;
const maxLimit = 100;

/** `limit`, and `after` or `before`: identifiers of items. */
export function readCursor<Key>(query: URLSearchParams, read: (id: string) => Key): Cursor<Key> {
  const refuse = (field: string, message: string) =>
    validationProblem([{ pointer: `/${field}`, code: 'value_error', message }]);
  const given = query.get('limit');
  const limit = given === null ? defaultLimit : Number(given);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    throw refuse('limit', `The \`limit\` must be a number from 1 to ${maxLimit}.`);
  }
  const [after, before] = [query.get('after'), query.get('before')];
  if (after !== null && before !== null) {
    throw refuse('before', 'Give `after` or `before`, not both.');
  }
  return {
    limit,
    after: after === null ? undefined : read(after),
    before: before === null ? undefined : read(before),
  };
}

/** Rows in the order that they were read in: one more than the limit where there are more. */
export function pageOf<Row>(
  rows: Row[],
  { limit, before }: { limit: number; before: unknown },
): { data: Row[]; has_more: boolean } {
  const data = rows.slice(0, limit);
  return { data: before === undefined ? data : data.toReversed(), has_more: rows.length > limit };
}

/** Integers of ours are texts there. */
export function readIntegerId(id: string): number {
  const read = Number(id);
  if (Number.isSafeInteger(read) && read > 0) return read;
  throw validationProblem([
    { pointer: '/id', code: 'value_error', message: 'The `id` must be one that a list has.' },
  ]);
}
