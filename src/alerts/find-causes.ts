import type { Queryable } from '../base/db/database.ts';
import { readDeliveryRates } from '../activity/index.ts';
import { planPeriod } from '../limits/index.ts';
import { kindRules, type AlertKind } from './alert-kinds.ts';
import type { Rules } from './rules.ts';

const dayMs = 86_400_000;
/** Below this a rate says nothing: one bounce of three is a third. */
const minAttempts = 100;
/** Of one kind and instance; more of them would have the same cause. */
const maxObjects = 50;

export interface Instance {
  id: number;
  timezone: string;
  plan_send_limit: number | null;
}

/** Something that is worth an alert, or would keep one that is open. */
export interface Cause {
  instance_id: number;
  kind: AlertKind;
  object_id: string;
  object_name: string;
  value: number | null;
  threshold: number | null;
  /** False: not enough to raise an alert, but too much to end one. */
  raises: boolean;
}

interface Found {
  instance_id: number;
  object_id: string;
  object_name: string;
  value: number | null;
}

/** One pass over these instances: a fixed number of statements, whatever they send. */
export async function findCauses(
  db: Queryable,
  instances: Instance[],
  { rules, now }: { rules: Rules; now: Date },
): Promise<Cause[]> {
  const ids = instances.map(({ id }) => id);
  const found: [AlertKind, Found[]][] = [
    ...(await findRates(db, ids, now)),
    ['webhook_failing', await db.query<Found & Record<string, unknown>>(failingWebhooks, [ids])],
    ['domain_failed', await db.query<Found & Record<string, unknown>>(failedDomains, [ids])],
    ['plan_usage', await findPlans(db, instances, now)],
    ['sending_held', await db.query<Found & Record<string, unknown>>(heldSending, [ids])],
    ['privacy_request_due', await db.query<Found & Record<string, unknown>>(dueRequests, [ids, now])],
  ];
  return found.flatMap(([kind, rows]) => rows.flatMap((row) => judge(kind, row, rules)));
}

function judge(kind: AlertKind, row: Found, rules: Rules): Cause[] {
  const { is_enabled, threshold } = rules(row.instance_id, kind);
  if (!is_enabled) return [];
  const { value } = row;
  const cause = { ...row, kind, threshold, raises: true };
  if (threshold === null || value === null) return [cause];
  // Days that are left: fewer are worse.
  if (kind === 'privacy_request_due') return value <= threshold ? [cause] : [];
  if (value >= threshold) return [cause];
  return value > threshold * kindRules[kind].ends_below ? [{ ...cause, raises: false }] : [];
}

async function findRates(db: Queryable, ids: number[], now: Date): Promise<[AlertKind, Found[]][]> {
  const rows = await readDeliveryRates(db, ids, new Date(now.getTime() - dayMs));
  const of = (count: (row: (typeof rows)[number]) => number, total: (row: (typeof rows)[number]) => number) =>
    rows
      .filter((row) => total(row) >= minAttempts)
      .map((row) => ({
        instance_id: row.instance_id,
        object_id: '',
        object_name: '',
        value: count(row) / total(row),
      }));
  return [
    [
      'bounce_rate',
      of(
        ({ bounced }) => bounced,
        ({ sent, bounced }) => sent + bounced,
      ),
    ],
    [
      'complaint_rate',
      of(
        ({ complaints }) => complaints,
        ({ sent }) => sent,
      ),
    ],
  ];
}

/** Its alert ends with a success, not when it is paused. */
const failingWebhooks = `
  select instance_id, id::text as object_id, name as object_name, consecutive_failures::float8 as value from (
    select instance_id, id, name, consecutive_failures,
      row_number() over (partition by instance_id order by id) as place
    from webhooks where instance_id = any($1) and consecutive_failures > 0
  ) as failing where place <= ${maxObjects}`;

/** Of domains that were looked at: what was never validated is work to do, and no surprise. */
const failedDomains = `
  select instance_id, id::text as object_id, domain as object_name, null::float8 as value from (
    select instance_id, id, domain, row_number() over (partition by instance_id order by id) as place
    from domains
    where instance_id = any($1) and deleted_at is null and not is_sandbox
      and array['failed', 'revoked'] && array[mx_status, spf_status, dkim_status, dmarc_status]
  ) as failed where place <= ${maxObjects}`;

const heldSending = `
  select i.id as instance_id, '' as object_id, '' as object_name, null::float8 as value
  from unnest($1::bigint[]) as i (id)
  where exists (select from queue where instance_id = i.id and held_since is not null)`;

const dueRequests = `
  select instance_id, id::text as object_id, '' as object_name,
    greatest(0, extract(epoch from due_at - $2) / 86400)::float8 as value
  from (
    select instance_id, id, due_at, row_number() over (partition by instance_id order by due_at, id) as place
    from rights_requests
    where instance_id = any($1) and status = 'open' and due_at < $2::timestamptz + interval '31 days'
  ) as due where place <= ${maxObjects}`;

async function findPlans(db: Queryable, instances: Instance[], now: Date): Promise<Found[]> {
  const limited = instances.flatMap(({ plan_send_limit, ...instance }) =>
    plan_send_limit === null || plan_send_limit === 0
      ? []
      : [{ ...planPeriod(instance, now), limit: plan_send_limit }],
  );
  if (limited.length === 0) return [];
  return await db.query<Found & Record<string, unknown>>(
    `select u.instance_id, '' as object_id, '' as object_name, u.used / l.plan::float8 as value
     from unnest($1::bigint[], $2::date[], $3::bigint[]) as l (instance_id, period, plan)
     join plan_usage u on u.instance_id = l.instance_id and u.period = l.period`,
    [
      limited.map(({ instance_id }) => instance_id),
      limited.map(({ period }) => period),
      limited.map(({ limit }) => limit),
    ],
  );
}
