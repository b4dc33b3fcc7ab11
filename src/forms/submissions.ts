import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { readDateRange } from '../base/http/date-range.ts';
import type { ExportColumn, ExportSelection } from '../exports/index.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import type { Field } from './field-schemas.ts';
import { getForm } from './forms.ts';
import type { FormSubmission, FormSubmissionDetail, submissionStatuses } from './submission-schemas.ts';
import { contactKeyOf, notBlocked } from './submission-conditions.ts';
import { shownStatus } from './submission-status.ts';

/** `$1` is the time. */
const status = shownStatus('$1::timestamptz');
const columns = `s.id, ${status} as status, s.answers, s.consent_event_ids, host(s.address) as address, s.user_agent, s.created_at,
  s.confirmed_at, s.held is not null as is_return, s.is_update`;

/** Whether another submission counts and is of the contact who sent `s`. */
const ofContact = (other: string): string =>
  `${other}.instance_id = s.instance_id and ${other}.status = 'confirmed' and ${contactKeyOf(other)} = ${contactKeyOf('s')}`;

/** The newest update that changed or took back an answer of `s` other than the address. */
const replacedBy = `(select max(u.id) from form_submissions u
  where ${ofContact('u')} and u.is_update and u.id > s.id and s.status = 'confirmed'
    and jsonb_exists_any(u.answers - 'EMAIL', array(select jsonb_object_keys(s.answers - 'EMAIL'))))`;

const historyAtMost = 50;

interface SubmissionFilters {
  status?: (typeof submissionStatuses)[number] | null;
  start_date?: string | null;
  end_date?: string | null;
  tz?: string | null;
}

interface Asked<Filters> {
  form_id: number;
  filters: Filters;
  /** Time zone of the instance, for dates without one. */
  timezone: string;
  now: Date;
}

/** Newest first. */
export async function listSubmissions(
  db: Queryable,
  instanceId: number,
  asked: Asked<SubmissionFilters & PageRequest>,
): Promise<PageOf<FormSubmission>> {
  await getForm(db, instanceId, asked.form_id);
  const { source, values } = matching(instanceId, asked);
  return await selectPage<FormSubmission>(
    db,
    { columns: `${columns}, ${replacedBy} as replaced_by`, source, order_by: 's.id desc', values },
    asked.filters,
  );
}

/** What the same contact sent otherwise, the newest first. Forms that were deleted are left out, as everywhere. */
const history = `
  select h.id, f.id as form_id, f.name as form_name, h.is_update, h.created_at, h.answers
  from form_submissions s join form_submissions h on ${ofContact('h')} and h.id <> s.id and ${notBlocked('$1', 'h')}
    join forms f on f.id = h.form_id and f.deleted_at is null
  where s.instance_id = $1 and s.id = $2
  order by h.id desc limit ${historyAtMost}`;

export async function getSubmission(
  db: Queryable,
  instanceId: number,
  { form_id, submission_id, now }: { form_id: number; submission_id: number; now: Date },
): Promise<FormSubmissionDetail> {
  await getForm(db, instanceId, form_id);
  const [found] = await db.query<Omit<FormSubmissionDetail, 'history'> & Record<string, unknown>>(
    `select ${columns}, ${replacedBy} as replaced_by, array(
       select json_build_object('consent_event_id', e.id, 'term_id', t.id, 'name', t.name, 'version', v.version,
         'status', coalesce(o.status, e.status),
         'action', (select r.action from consent_rules r where r.event_id = e.id order by r.id limit 1))
       from consent_events e left join consent_event_outcomes o on o.event_id = e.id
         join consent_term_versions v on v.id = e.term_version_id
         join consent_terms t on t.id = v.term_id
       where e.id = any (s.consent_event_ids) order by e.id) as consents
     from form_submissions s where s.instance_id = $2 and s.form_id = $3 and s.id = $4 and ${notBlocked('$2')}`,
    [now, instanceId, form_id, submission_id],
  );
  if (!found) throw new Problem('form_submission_not_found');
  const others = await db.query<FormSubmissionDetail['history'][number] & Record<string, unknown>>(history, [
    instanceId,
    submission_id,
  ]);
  return { ...found, history: others };
}

/** For the export: oldest first, with a column per field of the form or of any answer. */
export async function selectSubmissions(
  db: Queryable,
  instanceId: number,
  asked: Asked<SubmissionFilters>,
): Promise<ExportSelection> {
  const form = await getForm(db, instanceId, asked.form_id);
  const fields = await answeredFields(db, form.id);
  return {
    columns: [
      { name: 'id', sql: 's.id', kind: 'number' },
      { name: 'status', sql: status, kind: 'text' },
      { name: 'created_at', sql: 's.created_at', kind: 'date_time' },
      { name: 'confirmed_at', sql: 's.confirmed_at', kind: 'date_time' },
      ...fields.map((field) => answerColumn(field)),
      { name: 'replaced_by', sql: replacedBy, kind: 'number' },
    ],
    ...matching(instanceId, asked),
    order_by: 's.id',
  };
}

function matching(
  instanceId: number,
  { form_id, filters, timezone, now }: Asked<SubmissionFilters>,
): { source: string; values: unknown[] } {
  const { start_date, end_date, tz } = filters;
  // Without a date that side is unbounded.
  const range = readDateRange(
    { start_date: start_date ?? '0001-01-01', end_date: end_date ?? '9999-12-31', tz: tz ?? null },
    { now, timezone, months: 3 },
  );
  const conditions = new Conditions([now])
    .where('s.instance_id = ?', instanceId)
    .where('s.form_id = ?', form_id)
    .where(`${status} = ?`, filters.status)
    .where('s.created_at >= ?', start_date && range.from)
    .where('s.created_at < ?', end_date && range.until)
    .where(notBlocked('?'), instanceId);
  return { source: `from form_submissions s where ${conditions.sql()}`, values: conditions.values };
}

type AnsweredField = Pick<Field, 'field_key' | 'type'>;

/** In the order of the form, then former fields. A deleted field keeps its key and type. */
async function answeredFields(db: Queryable, formId: number): Promise<AnsweredField[]> {
  return await db.query<AnsweredField>(
    `select f.field_key, f.type from fields f
       left join form_items it on it.form_id = $1 and it.field_id = f.id
     where f.instance_id = (select instance_id from forms where id = $1) and (it.id is not null or f.field_key in (
       select distinct jsonb_object_keys(answers) from form_submissions where form_id = $1))
     order by it.sort_order nulls last, f.id`,
    [formId],
  );
}

/** A field_key consists of capitals, digits and underscores (0002_fields__create.sql), so it is safe in SQL. */
export function answerColumn({ field_key, type }: AnsweredField, answers = 's.answers'): ExportColumn {
  const text = `${answers} ->> '${field_key}'`;
  if (type === 'number') return { name: field_key, sql: `(${text})::numeric`, kind: 'number' };
  if (type === 'boolean') return { name: field_key, sql: `(${text})::boolean`, kind: 'boolean' };
  if (type === 'multiselect')
    return { name: field_key, sql: `nullif(${answers} -> '${field_key}', 'null')`, kind: 'json' };
  return { name: field_key, sql: text, kind: 'text' };
}
