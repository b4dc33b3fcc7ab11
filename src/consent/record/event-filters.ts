import { Type, type Static } from 'typebox';
import { contactTypes } from '../../base/contacts.ts';
import { noneBlocked } from '../../base/db/blocked-contacts.ts';
import { Conditions } from '../../base/db/conditions.ts';
import { readDateRange } from '../../base/http/date-range.ts';
import { Enum, Id, Nullable } from '../../base/http/schemas.ts';
import { channels } from '../catalogue/term-schemas.ts';
import { possibleContacts } from './contacts.ts';
import { actions, eventStatuses, type EventStatus } from './event-schemas.ts';

const localDate = (description: string) =>
  Type.Optional(Nullable(Type.String({ maxLength: 254, description, examples: ['2026-12-01'] })));

/** Of the list and of the export. `tz` is added by each. */
export const eventFilters = {
  term_id: Type.Optional(Nullable(Id('Only events of this term.'))),
  status: Type.Optional(Nullable(Enum(eventStatuses, { description: 'Only events in this state.' }))),
  contact: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 254,
        description:
          'Only events about this holder, compared whole with the stored form: emails in lower case, unique codes as sent.',
      }),
    ),
  ),
  channel: Type.Optional(Nullable(Enum(channels, { description: 'Only rules about this channel.' }))),
  purpose_id: Type.Optional(Nullable(Id('Only rules about this purpose.'))),
  action: Type.Optional(Nullable(Enum(actions, { description: 'Only rules that grant, or that revoke.' }))),
  start_date: localDate('First day of the range in which events were recorded, in `tz`, else in UTC.'),
  end_date: localDate('Last day of the range, which is part of it.'),
};

export type EventFilters = Static<ReturnType<typeof Type.Object<typeof eventFilters>>> & {
  tz?: string | null;
};

/** Written to use the partial index of events recorded as pending. */
const havingStatus: Record<EventStatus, string> = {
  confirmed: `(e.status = 'confirmed' or o.status = 'confirmed')`,
  pending: `(e.status = 'pending' and o.event_id is null)`,
  expired: `(e.status = 'pending' and o.status = 'expired')`,
};

/** Evidence about an erased person is read only through a rights request. */
export const unsealed = (eventId: string): string =>
  `not exists (select from consent_seals s where s.event_id = ${eventId})`;

/** Nothing about a person who is blocked is shown. The verdict does not use this: a withdrawal holds. */
export const aboutNobodyBlocked = (eventId: string, instance = '?'): string =>
  noneBlocked(
    (isBlocked) =>
      `exists (select from consent_rules named where named.event_id = ${eventId} and ${isBlocked})`,
    { type: 'named.contact_type', contact: 'named.contact' },
    instance,
  );

/** Older than any consent. */
const allMonths = 1_200;

/** Conditions on event `e` with its outcome `o`. `$1` is the instance. */
export function eventConditions(
  instanceId: number,
  { term_id, status, ...dates }: EventFilters,
  now: Date,
): Conditions {
  const conditions = new Conditions()
    .where('e.instance_id = ?', instanceId)
    .where('e.term_id = ?', term_id)
    .always(unsealed('e.id'))
    .where(aboutNobodyBlocked('e.id'), instanceId);
  if (status) conditions.where(`${havingStatus[status]} = ?`, true);
  if (!dates.start_date && !dates.end_date) return conditions;
  // Without `tz` the dates in an exported file are UTC, so filters must be too.
  const { from, until } = readDateRange(dates, { now, timezone: 'UTC', months: allMonths });
  return conditions.where('e.created_at >= ?', from).where('e.created_at < ?', until);
}

/** Any spelling, any type; its values are the canonical forms of the contact. */
export const ofContact = `(r.contact_type, r.contact) in (
  ${contactTypes.map((type, index) => `('${type}', (?::text[])[${index + 1}])`).join(', ')})`;

/** Conditions on rule `r`: one single rule matches all of them. */
export function addRuleConditions(conditions: Conditions, filters: EventFilters): Conditions {
  return conditions
    .where(ofContact, possibleContacts(filters.contact))
    .where('r.channel = ?', filters.channel)
    .where('r.purpose_id = ?', filters.purpose_id)
    .where('r.action = ?', filters.action);
}
