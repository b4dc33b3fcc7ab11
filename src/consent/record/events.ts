import type { QueryResultRow } from 'pg';
import { Conditions } from '../../base/db/conditions.ts';
import type { Queryable } from '../../base/db/database.ts';
import { Problem } from '../../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../../base/http/pagination.ts';
import {
  aboutNobodyBlocked,
  addRuleConditions,
  eventConditions,
  type EventFilters,
  unsealed,
} from './event-filters.ts';
import type { ConsentEvent, ConsentRule } from './event-schemas.ts';

/** Columns of an event `e` that depend on its outcome `o`. */
export const derived = {
  status: 'coalesce(o.status, e.status)',
  confirmed_at: `case when e.status = 'confirmed' then e.created_at when o.status = 'confirmed' then o.at end`,
  expired_at: `case when o.status = 'expired' then o.at end`,
};

const eventColumns = `e.id, e.term_id, e.term_version_id, ${derived.status} as status, e.method, e.source,
  ${derived.confirmed_at} as confirmed_at, ${derived.expired_at} as expired_at, e.created_at`;
const eventsJoined = 'consent_events e left join consent_event_outcomes o on o.event_id = e.id';

export async function listConsentEvents(
  db: Queryable,
  instanceId: number,
  { filters, now }: { filters: EventFilters & PageRequest; now: Date },
): Promise<PageOf<ConsentEvent>> {
  const events = eventConditions(instanceId, filters, now);
  const rules = addRuleConditions(new Conditions(events.values), filters);
  const ofRules =
    rules.values.length === events.values.length
      ? ''
      : `and e.id in (select r.event_id from consent_rules r where r.instance_id = $1 and ${rules.sql()})`;
  const page = await selectPage<EventRow>(
    db,
    {
      columns: eventColumns,
      source: `from ${eventsJoined} where ${events.sql()} ${ofRules}`,
      order_by: 'e.id desc',
      values: rules.values,
    },
    filters,
  );
  return { ...page, data: await withRules(db, page.data) };
}

export async function getConsentEvent(db: Queryable, instanceId: number, id: number): Promise<ConsentEvent> {
  const rows = await db.query<EventRow>(
    `select ${eventColumns} from ${eventsJoined} where e.instance_id = $1 and e.id = $2 and ${unsealed('e.id')}
       and ${aboutNobodyBlocked('e.id', '$1')}`,
    [instanceId, id],
  );
  const [event] = await withRules(db, rows);
  if (!event) throw new Problem('consent_event_not_found');
  return event;
}

type EventRow = Omit<ConsentEvent, 'rules'> & QueryResultRow;

async function withRules(db: Queryable, events: EventRow[]): Promise<ConsentEvent[]> {
  if (events.length === 0) return [];
  const rows = await db.query<ConsentRule & { event_id: number }>(
    `select event_id, id, channel, contact_type, contact, purpose_id, action, created_at
     from consent_rules where event_id = any ($1::bigint[]) order by id`,
    [events.map(({ id }) => id)],
  );
  const byEvent = Map.groupBy(rows, ({ event_id }) => event_id);
  return events.map((event) => ({
    ...event,
    rules: (byEvent.get(event.id) ?? []).map(({ event_id: _event, ...rule }) => rule),
  }));
}
