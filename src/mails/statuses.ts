import { Type } from 'typebox';
import { Enum, Nullable } from '../base/http/schemas.ts';

/** Names of the delivery statuses, in the order of their codes from 1 (contract §7). */
export const statusNames = [
  'received',
  'queued',
  'sent',
  'dropped',
  'deferred',
  'bounced',
  'onhold',
] as const;
export type StatusName = (typeof statusNames)[number];

/** The name of a code in a column, as an expression of SQL; null for null. */
export const statusNameSql = (column: string): string =>
  `(array[${statusNames.map((name) => `'${name}'`).join(', ')}])[${column}]`;

export function statusNameOf(status: number): StatusName {
  const name = statusNames[status - 1];
  if (name === undefined) throw new Error(`There is no delivery status ${status}.`);
  return name;
}

/** For an answer that has the code as `status`. */
export const StatusName = Enum(statusNames, { description: 'The name of `status`.' });
export const NullableStatusName = Nullable(StatusName);

/** A code or a name. */
export type GivenStatus = number | string;

/**
 * Bounds are for numbers and the pattern is for text, so that each is refused with a code of its own. Text may be a digit: some clients
 * of tools write all arguments as text.
 */
const givenStatus = <Given extends GivenStatus | null>(types: string[], description: string) =>
  Type.Unsafe<Given>({
    type: types,
    minimum: 1,
    maximum: statusNames.length,
    pattern: `^([1-${statusNames.length}]|${statusNames.join('|')})$`,
    description: `${description} ${statusNames.map((name, index) => `${index + 1} or \`${name}\``).join(', ')}.`,
    examples: ['sent'],
  });

export const StatusFilter = Type.Optional(
  givenStatus<GivenStatus | null>(['integer', 'string', 'null'], 'Delivery status:'),
);

export const StatusesFilter = Type.Optional(
  Type.Array(givenStatus<GivenStatus>(['integer', 'string'], 'Delivery status:'), {
    maxItems: statusNames.length,
    description: 'Any of several, by code or name. Together with `status`, that one only.',
    examples: [['deferred', 'bounced']],
  }),
);

/** The code of what `StatusFilter` accepted. */
export function statusCode(given: GivenStatus): number {
  const position = statusNames.findIndex((name) => name === given);
  return position === -1 ? Number(given) : position + 1;
}
