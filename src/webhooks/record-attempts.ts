import type { Database, Queryable, Statement } from '../base/db/database.ts';
import type { AttemptOutcome } from './attempt-record.ts';

/** Contract §9: both must be reached without a success in between. */
const failuresToPause = 20;
const failingHoursToPause = 24;
const attemptsKept = 20;

/** Lock order to avoid deadlocks: webhooks by id, then deliveries. */
const lock: Statement = {
  name: 'webhooks.lock_for_outcomes',
  text: 'select id from webhooks where id = any ($1::bigint[]) order by id for no key update',
};

/**
 * Updates the deliveries whose lease is still held, and the counters of their webhooks. Attempts that began before the
 * webhook's last configuration change are not counted. `updated_at` stays: it is about the configuration.
 */
const record: Statement = {
  name: 'webhooks.record_attempts',
  text: `
    with outcome as (
      select * from unnest($1::bigint[], $2::uuid[], $3::integer[], $4::timestamptz[], $5::timestamptz[], $6::text[],
        $7::timestamptz[], $8::smallint[], $9::text[], $10::jsonb[])
        as o (id, lease, position, started_at, finished_at, state, due_at, status_code, error, logged)
    ), recorded as (
      update webhook_deliveries d set state = o.state, due_at = o.due_at, lease = null, leased_until = null,
        last_attempt_at = o.started_at, last_status_code = o.status_code, last_error = o.error,
        log = case when jsonb_array_length(d.log) >= $11 then d.log - 0 else d.log end || o.logged
      from outcome o where d.id = o.id and d.lease = o.lease
      returning d.id, d.webhook_id, o.position, o.started_at, o.finished_at, o.status_code, o.error is null as is_success
    ), counted as (
      select r.*, max(r.position) filter (where r.is_success) over (partition by r.webhook_id) as last_success
      from recorded r join webhooks w on w.id = r.webhook_id and r.started_at >= w.counted_since
    ), summed as (
      select webhook_id, max(finished_at) filter (where is_success) as success_at,
        max(finished_at) filter (where not is_success) as failure_at,
        (array_agg(status_code order by position desc))[1] as status_code, bool_or(is_success) as has_success,
        count(*) filter (where position > coalesce(last_success, 0) and not is_success) as failures,
        min(finished_at) filter (where position > coalesce(last_success, 0) and not is_success) as failing_from
      from counted group by webhook_id
    ), updated as (
      update webhooks w set last_success_at = coalesce(s.success_at, w.last_success_at),
        last_failure_at = coalesce(s.failure_at, w.last_failure_at), last_status_code = s.status_code,
        consecutive_failures = case when s.has_success then 0 else w.consecutive_failures end + s.failures,
        failing_since = coalesce(case when not s.has_success then w.failing_since end, s.failing_from)
      from summed s where w.id = s.webhook_id
    )
    select id from counted`,
};

/** $1: webhooks with failures, $2: webhooks that answered 410. */
const autoPause: Statement = {
  name: 'webhooks.auto_pause',
  text: `
    update webhooks set is_active = false, paused_at = $3, auto_paused_at = $3
    where is_active and (id = any ($2::bigint[]) or id = any ($1::bigint[]) and consecutive_failures >= $4
      and failing_since <= $3::timestamptz - $5 * interval '1 hour')
    returning id`,
};

/** Records a batch of attempts in one transaction. Returns the webhooks that were paused. */
export async function recordAttempts(db: Database, outcomes: AttemptOutcome[], now: Date): Promise<number[]> {
  return await db.transaction(async (tx) => {
    await tx.query(lock, [webhooksOf(outcomes)]);
    const rows = await tx.query<{ id: number }>(record, [
      outcomes.map(({ id }) => id),
      outcomes.map(({ lease }) => lease),
      outcomes.map((_outcome, index) => index + 1),
      outcomes.map(({ started_at }) => started_at),
      outcomes.map(({ finished_at }) => finished_at),
      outcomes.map(({ state }) => state),
      outcomes.map(({ due_at }) => due_at),
      outcomes.map(({ status_code }) => status_code),
      outcomes.map(({ error }) => error),
      outcomes.map(({ logged }) => JSON.stringify(logged)),
      attemptsKept,
    ]);
    const counted = new Set(rows.map(({ id }) => id));
    const failed = outcomes.filter(({ id, error }) => error !== null && counted.has(id));
    return failed.length > 0 ? await pauseFailing(tx, failed, now) : [];
  });
}

async function pauseFailing(tx: Queryable, failed: AttemptOutcome[], now: Date): Promise<number[]> {
  const gone = failed.filter(({ is_gone }) => is_gone);
  const rows = await tx.query<{ id: number }>(autoPause, [
    webhooksOf(failed),
    webhooksOf(gone),
    now,
    failuresToPause,
    failingHoursToPause,
  ]);
  return rows.map(({ id }) => id);
}

function webhooksOf(outcomes: AttemptOutcome[]): number[] {
  return [...new Set(outcomes.map(({ webhook_id }) => webhook_id))];
}
