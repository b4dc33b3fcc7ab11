import { arrayLiteral } from '../base/db/columns.ts';
import type { Database, Queryable, Statement } from '../base/db/database.ts';
import type { IdSequence } from '../base/ids.ts';
import { returnToPlan } from '../limits/index.ts';
import { statusAfter, type Outcome } from './outcome.ts';
import { detailsJson, idTimestamp, timestampText, reasonText } from './storable-outcome.ts';

/**
 * Records a batch of outcomes: queue row, status, event, and the restriction for a hard bounce. Only for mails whose lease
 * is still held: an outcome that comes after another node claimed the mail changes nothing, also when the outcome of that
 * node is in the same batch. Only a deferral leaves an attempt behind that counts: held and postponed mail was not sent. The clock of a node may be
 * wrong: a time before the mail's own, or one without a partition, is replaced by the database's.
 *
 * Webhooks are told of the first deferral of a mail, then at most once an hour (contract §7). Their deliveries are made here and not by
 * the follower of the log (`webhooks/fan-out.ts`): its index has no deferrals, and most of them are not announced.
 */
const record: Statement = {
  name: 'events.record_outcomes',
  text: `
    with given as (
      select *, case
          when event_id > mail_id and at between now() - interval '28 days' and now() + interval '3 months' then at
          else greatest(now(), case when mail_id < uuid_at(now() + interval '3 months') then uuid_time(mail_id) end)
        end as event_at
      from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::bigint[], $6::timestamptz[], $7::text[],
        $8::smallint[], $9::text[], $10::timestamptz[], $11::jsonb[], $14::smallint[])
        as g (event_id, mail_id, msg_id, lease, instance_id, at, verdict, status, reason, next_attempt_at, data, crashes)
    ), outcome as (
      select mail_id, msg_id, lease, instance_id, event_at as at, verdict, status, reason, data, crashes,
        case when event_at = at then event_id
          else (left(uuid_at(event_at)::text, 14) || right(event_id::text, 22))::uuid end as event_id,
        case when isfinite(next_attempt_at) then next_attempt_at when next_attempt_at is not null then now() end
          as next_attempt_at
      from given
    ), finished as (
      delete from queue q using outcome o
      where q.mail_id = o.mail_id and q.lease = o.lease and o.verdict in ('sent', 'bounced', 'dropped')
      returning o.mail_id, o.lease
    ), postponed as (
      update queue q set lease = null, last_error = left(o.reason, 500),
        due_at = coalesce(o.next_attempt_at, q.due_at),
        attempts = q.attempts - case when o.verdict = 'deferred' then 0 else 1 end,
        crashes = case when o.verdict = 'deferred' then 0 else coalesce(o.crashes, q.crashes) end,
        held_since = case when o.verdict = 'held' then o.at end,
        held_domain_id = case when o.verdict <> 'held' then 0 else coalesce((
          select s.domain_id from messages g join senders s on s.id = g.sender_id where g.msg_id = o.msg_id), 0) end,
        deferral_announced_at = case
          when o.verdict = 'deferred' and coalesce(q.deferral_announced_at <= o.at - interval '1 hour', true) then o.at
          else q.deferral_announced_at
        end
      from outcome o
      where q.mail_id = o.mail_id and q.lease = o.lease and o.verdict in ('deferred', 'held', 'postponed')
      returning o.mail_id, o.lease, o.verdict = 'deferred' and q.deferral_announced_at = o.at as is_announced
    ), valid as (
      select o.* from outcome o
      where o.verdict <> 'postponed'
        and (o.mail_id, o.lease) in (select mail_id, lease from finished union all select mail_id, lease from postponed)
    ), marked as (
      update mails m set status = v.status, sent_at = case when v.verdict = 'sent' then v.at else m.sent_at end
      from valid v where m.mail_id = v.mail_id and m.mail_id between $12 and $13
      returning m.mail_id, m.instance_id, m.recipient
    ), restricted as (
      insert into restrictions (instance_id, recipient, reason, mail_id, detail)
      select marked.instance_id, marked.recipient, 'hard_bounce', marked.mail_id, v.reason
      from valid v join marked using (mail_id)
      where v.verdict = 'bounced' and v.data ->> 'type' = 'hard'
        and exists (select from instances i where i.id = marked.instance_id)
      on conflict (instance_id, recipient_key) do nothing
    ), logged as (
      insert into events (event_id, mail_id, msg_id, instance_id, at, event, status, reason, data)
      select event_id, mail_id, msg_id, instance_id, at, verdict, status, reason, data from valid
    ), announced as (
      insert into webhook_deliveries (webhook_id, instance_id, event_id, mail_id, type, event_at, created_at, due_at)
      select w.id, v.instance_id, v.event_id, v.mail_id, 'mail.deferred', v.at, now(), now()
      from postponed p join valid v using (mail_id, lease) join webhooks w on w.instance_id = v.instance_id
      where p.is_announced and w.is_active and v.at >= w.active_since
        and (w.events is null or 'mail.deferred' = any (w.events))
      returning 1
    )
    select mail_id, lease, (select pg_notify('chasqui_webhooks', '') from announced limit 1) as woken from valid`,
};

/**
 * Returns the outcomes that were recorded; what was postponed is written without an event and is not among them. The plan gets
 * dropped mail back in the same transaction.
 */
export async function recordOutcomes(
  db: Database,
  ids: IdSequence,
  outcomes: Outcome[],
): Promise<Set<Outcome>> {
  if (!outcomes.some(isDrop)) return await write(db, ids, outcomes);
  return await db.transaction(async (tx) => {
    const recorded = await write(tx, ids, outcomes);
    const dropped = [...recorded].filter(isDrop).map(({ mail_id }) => mail_id);
    await returnToPlan(tx, dropped);
    return recorded;
  });
}

const isDrop = ({ verdict }: Outcome): boolean => verdict === 'dropped';

async function write(db: Queryable, ids: IdSequence, outcomes: Outcome[]): Promise<Set<Outcome>> {
  const sorted = outcomes.map(({ mail_id }) => mail_id).toSorted();
  const column = (value: (outcome: Outcome) => string | number | null): string =>
    arrayLiteral(outcomes.map(value));
  const rows = await db.query<{ mail_id: string; lease: string }>(record, [
    column(({ at }) => ids.next(idTimestamp(at))),
    column(({ mail_id }) => mail_id),
    column(({ msg_id }) => msg_id),
    column(({ lease }) => lease),
    column(({ instance_id }) => instance_id),
    column(({ at }) => timestampText(at)),
    column(({ verdict }) => verdict),
    column(({ verdict }) => statusAfter[verdict]),
    column(reasonText),
    column((outcome) => ('next_attempt_at' in outcome ? timestampText(outcome.next_attempt_at) : null)),
    column(detailsJson),
    sorted[0],
    sorted.at(-1),
    column(({ crashes }) => crashes ?? null),
  ]);
  const leases = new Map(rows.map(({ mail_id, lease }) => [mail_id, lease]));
  return new Set(outcomes.filter(({ mail_id, lease }) => leases.get(mail_id) === lease));
}
