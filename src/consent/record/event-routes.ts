import { Type } from 'typebox';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { onePage, PageQuery } from '../../base/http/pagination.ts';
import { Id, Nullable } from '../../base/http/schemas.ts';
import { evidenceOf } from './event-content.ts';
import { createConsentRecorder } from './event-recorder.ts';
import { eventFilters } from './event-filters.ts';
import { ConsentEvent, NewConsentEvent } from './event-schemas.ts';
import { getConsentEvent, listConsentEvents } from './events.ts';

export interface EventsContext {
  db: Database;
  clock: Clock;
}

const tag = 'Consent';

const example = {
  id: 42,
  term_id: 3,
  term_version_id: 7,
  status: 'confirmed',
  method: 'single_opt_in',
  source: 'api',
  confirmed_at: '2026-12-01T12:00:00.000Z',
  expired_at: null,
  created_at: '2026-12-01T12:00:00.000Z',
  rules: [
    {
      id: 77,
      channel: 'mail',
      contact_type: 'email_address',
      contact: 'ana@example.com',
      purpose_id: 1,
      action: 'allow',
      created_at: '2026-12-01T12:00:00.000Z',
    },
  ],
};

export function consentEventRoutes(context: EventsContext): Operation[] {
  return [...consentEventReads(context), recordingRoute(context)];
}

const listFilters = {
  ...eventFilters,
  tz: Type.Optional(
    Nullable(
      Type.String({ maxLength: 254, description: 'IANA zone of `start_date` and `end_date`, else UTC.' }),
    ),
  ),
};

function consentEventReads({ db, clock }: EventsContext): Operation[] {
  return [
    operation({
      id: 'list_consent_events',
      method: 'GET',
      path: '/v1/consent-events',
      tag,
      summary: 'List consent events',
      description:
        'The history of consents, most recent first, each with its rules. A holder who granted and then revoked appears twice. `channel`, `purpose_id` and `action` together match one single rule. For the current state use `GET /v1/consent-rules/resolve`.',
      access: { kind: 'api_key', scope: 'consent:read' },
      query: PageQuery(listFilters),
      success: onePage('events', ConsentEvent, example),
      errors: [],
      handle: async ({ caller, query }) =>
        await listConsentEvents(db, caller.instance.id, { filters: query, now: clock.now() }),
    }),
    operation({
      id: 'get_consent_event',
      method: 'GET',
      path: '/v1/consent-events/{id}',
      tag,
      summary: 'Read a consent event',
      description: 'One event with its rules.',
      access: { kind: 'api_key', scope: 'consent:read' },
      params: Type.Object({ id: Id('Identifier of the event.') }),
      success: { status: 200, description: 'The event.', schema: ConsentEvent, example },
      errors: ['consent_event_not_found'],
      handle: async ({ caller, params }) => await getConsentEvent(db, caller.instance.id, params.id),
    }),
  ];
}

function recordingRoute({ db, clock }: EventsContext): Operation {
  const record = createConsentRecorder(db);
  return operation({
    id: 'record_consent_event',
    method: 'POST',
    path: '/v1/consent-events',
    tag,
    summary: 'Record a consent',
    description:
      'Records a consent that you obtained in your own channel, or its withdrawal (`action` `deny`), under the current version of the term. Each call adds an event; events are never edited or deleted. Inactive terms and disabled purposes take withdrawals only.',
    access: { kind: 'api_key', scope: 'consent:write' },
    body: NewConsentEvent,
    body_example: {
      term_id: example.term_id,
      method: 'single_opt_in',
      rules: [{ contact_type: 'email_address', contact: 'Ana@example.com', purpose_id: 1, action: 'allow' }],
    },
    success: { status: 201, description: 'The event as recorded.', schema: ConsentEvent, example },
    location: '/v1/consent-events/{id}',
    errors: [
      'consent_term_not_found',
      'consent_term_inactive',
      'consent_term_no_current_version',
      'consent_contact_type_channel_mismatch',
      'consent_duplicate_rule',
      'consent_channel_not_covered',
    ],
    handle: async (call) => {
      const recording = { wanted: call.body, evidence: evidenceOf(call), at: clock.now() };
      return await record(call.caller.instance.id, recording);
    },
  });
}
