import { notBlocked } from '../base/db/blocked-contacts.ts';
import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { listStandingConsents, standingRules, unsealed } from '../consent/index.ts';
import type { ExportColumn, ExportSelection } from '../exports/index.ts';
import {
  answerColumn,
  answersAmong,
  contactKeyOf,
  importableFields,
  newestAnswersOf,
  notBlocked as submissionNotBlocked,
} from '../forms/index.ts';
import type { ContactListItem } from './contact-schemas.ts';

interface Filters {
  contact?: string | null | undefined;
}

/**
 * Every address that consented or told something, once. Both indexes are read in the order of addresses, so that a page of a
 * million contacts needs a part of them. `$1` is the instance.
 */
const contacts = `(
  select distinct told.contact from (
    select r.contact from consent_rules r
    where r.instance_id = $1 and r.contact_type = 'email_address' and ${unsealed('r.event_id')}
    union all
    select ${contactKeyOf('s')} from form_submissions s
    where s.instance_id = $1 and s.status = 'confirmed' and s.answers ->> 'EMAIL' is not null
      and ${submissionNotBlocked('$1')}
  ) as told
) as c`;

function matching(instanceId: number, { contact }: Filters): Conditions {
  const conditions = new Conditions([instanceId]);
  return conditions
    .always(notBlocked('c.contact', '$1'))
    .where('position(lower(?) in c.contact) > 0', contact ?? undefined);
}

/** In the order of addresses. */
export async function listContacts(
  db: Queryable,
  instanceId: number,
  filters: Filters & PageRequest,
): Promise<PageOf<ContactListItem>> {
  const conditions = matching(instanceId, filters);
  const page = await selectPage<Pick<ContactListItem, 'contact'>>(
    db,
    {
      columns: 'c.contact',
      source: `from ${contacts} where ${conditions.sql()}`,
      order_by: 'c.contact',
      values: conditions.values,
    },
    filters,
  );
  const listed = page.data.map(({ contact }) => contact);
  const answers = await answersAmong(db, instanceId, listed);
  const standing = await listStandingConsents(db, instanceId, listed);
  const consents = Map.groupBy(standing, ({ contact }) => contact);
  const data = page.data.map(({ contact }) => ({
    contact,
    answers: answers.get(contact) ?? {},
    consents: (consents.get(contact) ?? []).map(({ purpose_id, purpose_code, purpose_name, verdict }) => ({
      purpose_id,
      purpose_code,
      purpose_name,
      verdict,
    })),
  }));
  return { ...page, data };
}

/** With a column for each field, and the purposes by their codes. */
export async function selectContacts(
  db: Queryable,
  instanceId: number,
  filters: Filters,
): Promise<ExportSelection> {
  const fields = (await importableFields(db, instanceId)).filter(({ field_key }) => field_key !== 'EMAIL');
  const conditions = matching(instanceId, filters);
  return {
    columns: [
      { name: 'contact', sql: 'c.contact', kind: 'text', never_null: true },
      ...fields.map((field) => answerColumn(field, 'told.answers')),
      ...stateColumns,
    ],
    source: `from ${contacts}
      cross join lateral (select ${newestAnswersOf('c.contact', '$1')} as answers) as told
      cross join lateral (
        select string_agg(p.code, ' ' order by p.code) filter (where won.verdict = 'allow') as allowed,
          string_agg(p.code, ' ' order by p.code) filter (where won.verdict = 'deny') as denied
        from (${standingRules('r.contact = c.contact', '$1')}) as won join consent_purposes p on p.id = won.purpose_id
      ) as standing
      where ${conditions.sql()}`,
    // Each line as cheap as a count can be.
    count_source: `from ${contacts} where ${conditions.sql()}`,
    order_by: 'c.contact',
    values: conditions.values,
  };
}

const stateColumns: ExportColumn[] = [
  { name: 'allowed', sql: 'standing.allowed', kind: 'text' },
  { name: 'denied', sql: 'standing.denied', kind: 'text' },
  {
    name: 'is_restricted',
    sql: 'exists (select from restrictions x where x.instance_id = $1 and x.recipient_key = c.contact)',
    kind: 'boolean',
  },
  {
    name: 'is_unsubscribed',
    sql: `exists (select from unsubscribes x where x.instance_id = $1 and x.recipient_key = c.contact
      and x.resubscribed_at is null)`,
    kind: 'boolean',
  },
];
