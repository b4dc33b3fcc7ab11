import { Type } from 'typebox';
import {
  type ExportColumn,
  type ExportContext,
  exportOperation,
  type ExportSelection,
} from '../../exports/index.ts';
import type { Operation } from '../../base/http/operation.ts';
import { DateTime, Enum, Id, Nullable } from '../../base/http/schemas.ts';
import { contactTypes } from '../../base/contacts.ts';
import { addRuleConditions, eventConditions, eventFilters, type EventFilters } from './event-filters.ts';
import { actions, eventStatuses, methods, sources } from './event-schemas.ts';
import { derived } from './events.ts';
import { channels } from '../catalogue/term-schemas.ts';

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
    term_name: Nullable(Type.String({ description: 'What the term is called now.' })),
    term_version: Nullable(Type.String({ description: 'The label of the version accepted.' })),
    purpose_code: Nullable(Type.String({ description: 'The code of the purpose.' })),
    purpose_name: Nullable(Type.String({ description: 'What the purpose is called now.' })),
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
  // After those of the specification, whose order stays.
  { name: 'term_name', sql: 't.name', kind: 'text' },
  { name: 'term_version', sql: 'v.version', kind: 'text' },
  { name: 'purpose_code', sql: 'p.code', kind: 'text' },
  { name: 'purpose_name', sql: 'p.name', kind: 'text' },
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
  term_name: 'Commercial email',
  term_version: '2026-11',
  purpose_code: 'marketing',
  purpose_name: 'Marketing',
};
const csv = `"consent_event_id","term_id","term_version_id","event_status","method","source","channel","contact_type","contact","purpose_id","action","created_at","confirmed_at","expired_at","term_name","term_version","purpose_code","purpose_name"
42,3,7,"confirmed","single_opt_in","api","mail","email_address","ana@example.com",1,"allow","2026-12-01T12:00:00Z","2026-12-01T12:00:00Z",,"Commercial email","2026-11","marketing","Marketing"
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
        filters: eventFilters,
        row: ExportedRule,
        example: { json: example, csv },
        name: 'consent-events',
        select: async ({ caller: { instance }, query, now }) => selectRules(instance.id, { query, now }),
      },
      context,
    ),
  ];
}

function selectRules(
  instanceId: number,
  { query, now }: { query: EventFilters; now: Date },
): ExportSelection {
  const conditions = addRuleConditions(eventConditions(instanceId, query, now), query);
  return {
    columns,
    source: `from consent_events e join consent_rules r on r.instance_id = $1 and r.event_id = e.id
      left join consent_event_outcomes o on o.event_id = e.id
      left join consent_terms t on t.instance_id = $1 and t.id = e.term_id
      left join consent_term_versions v on v.term_id = e.term_id and v.id = e.term_version_id
      left join consent_purposes p on p.instance_id = $1 and p.id = r.purpose_id
      where ${conditions.sql()}`,
    order_by: 'e.id desc, r.id',
    values: conditions.values,
  };
}
