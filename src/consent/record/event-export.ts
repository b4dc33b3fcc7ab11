import { Type, type Static } from 'typebox';
import { readDateRange } from '../../base/http/date-range.ts';
import {
  type ExportColumn,
  type ExportContext,
  exportOperation,
  type ExportSelection,
} from '../../exports/index.ts';
import type { Operation } from '../../base/http/operation.ts';
import { DateTime, Enum, Id, Nullable } from '../../base/http/schemas.ts';
import { contactTypes, possibleContacts } from './contacts.ts';
import { eventFilters } from './event-routes.ts';
import { actions, eventStatuses, methods, sources } from './event-schemas.ts';
import { derived, eventConditions, of_contact } from './events.ts';
import { channels } from '../catalogue/term-schemas.ts';

const localDate = (description: string) =>
  Type.Optional(Nullable(Type.String({ maxLength: 254, description, examples: ['2026-12-01'] })));

const filters = {
  ...eventFilters,
  channel: Type.Optional(Nullable(Enum(channels, { description: 'Only rules about this channel.' }))),
  purpose_id: Type.Optional(Nullable(Id('Only rules about this purpose.'))),
  action: Type.Optional(Nullable(Enum(actions, { description: 'Only rules that grant, or that revoke.' }))),
  start_date: localDate('First day of the range in which events were recorded, in `tz`, else in UTC.'),
  end_date: localDate('Last day of the range, which is part of it.'),
};
type Filters = Static<ReturnType<typeof Type.Object<typeof filters>>> & { tz?: string | null };

/** One row per rule; the columns of the event are repeated. */
const ExportedRule = Type.Object(
  {
    consent_event_id: Id('The event.'),
    term_id: Id('The term that was agreed to.'),
    term_version_id: Id('The exact version accepted.'),
    event_status: Enum(eventStatuses),
    method: Enum(methods),
    source: Enum(sources),
    channel: Enum(channels),
    contact_type: Enum(contactTypes),
    contact: Type.String({ description: 'The holder, as stored.' }),
    purpose_id: Id('The purpose.'),
    action: Enum(actions),
    created_at: DateTime('When it was recorded.'),
    confirmed_at: Nullable(DateTime('When it was confirmed.')),
    expired_at: Nullable(DateTime('When it expired without a confirmation.')),
  },
  { $id: 'ExportedConsentRule' },
);

const columns: ExportColumn[] = [
  { name: 'consent_event_id', sql: 'e.id', kind: 'number' },
  { name: 'term_id', sql: 'e.term_id', kind: 'number' },
  { name: 'term_version_id', sql: 'e.term_version_id', kind: 'number' },
  { name: 'event_status', sql: derived.status, kind: 'text' },
  { name: 'method', sql: 'e.method', kind: 'text' },
  { name: 'source', sql: 'e.source', kind: 'text' },
  { name: 'channel', sql: 'r.channel', kind: 'text' },
  { name: 'contact_type', sql: 'r.contact_type', kind: 'text' },
  { name: 'contact', sql: 'r.contact', kind: 'text' },
  { name: 'purpose_id', sql: 'r.purpose_id', kind: 'number' },
  { name: 'action', sql: 'r.action', kind: 'text' },
  { name: 'created_at', sql: 'e.created_at', kind: 'date_time' },
  { name: 'confirmed_at', sql: derived.confirmed_at, kind: 'date_time' },
  { name: 'expired_at', sql: derived.expired_at, kind: 'date_time' },
];

const example = {
  consent_event_id: 42,
  term_id: 3,
  term_version_id: 7,
  event_status: 'confirmed',
  method: 'single_opt_in',
  source: 'api',
  channel: 'mail',
  contact_type: 'email_address',
  contact: 'ana@example.com',
  purpose_id: 1,
  action: 'allow',
  created_at: '2026-12-01T12:00:00Z',
  confirmed_at: '2026-12-01T12:00:00Z',
  expired_at: null,
};
const csv = `"consent_event_id","term_id","term_version_id","event_status","method","source","channel","contact_type","contact","purpose_id","action","created_at","confirmed_at","expired_at"
42,3,7,"confirmed","single_opt_in","api","mail","email_address","ana@example.com",1,"allow","2026-12-01T12:00:00Z","2026-12-01T12:00:00Z",
`;

export function consentExportRoutes(context: ExportContext): Operation[] {
  return [
    exportOperation(
      {
        id: 'export_consent_events',
        path: '/v1/consent-events/export',
        tag: 'Consent',
        summary: 'Export the history of consents',
        description:
          'The whole history, most recent first, one row per rule. `channel`, `purpose_id` and `action` together match one single rule.',
        scope: 'consent:read',
        filters,
        row: ExportedRule,
        example: { json: example, csv },
        name: 'consent-events',
        select: async ({ caller: { instance }, query, now }) => selectRules(instance.id, { query, now }),
      },
      context,
    ),
  ];
}

/** Older than any consent. */
const all_months = 1_200;

function selectRules(instanceId: number, { query, now }: { query: Filters; now: Date }): ExportSelection {
  const { contact, channel, purpose_id, action, start_date, end_date } = query;
  const conditions = eventConditions(instanceId, query)
    .where(of_contact, possibleContacts(contact))
    .where('r.channel = ?', channel)
    .where('r.purpose_id = ?', purpose_id)
    .where('r.action = ?', action);
  if (start_date || end_date) {
    // Without `tz` the dates in the file are UTC, so filters must be too.
    const range = readDateRange(query, { now, timezone: 'UTC', months: all_months });
    conditions.where('e.created_at >= ?', range.from).where('e.created_at < ?', range.until);
  }
  return {
    columns,
    source: `from consent_events e join consent_rules r on r.instance_id = $1 and r.event_id = e.id
      left join consent_event_outcomes o on o.event_id = e.id where ${conditions.sql()}`,
    order_by: 'e.id desc, r.id',
    values: conditions.values,
  };
}
