import { arrayLiteral, columnsOf } from '../base/db/columns.ts';
import type { Database, Statement } from '../base/db/database.ts';
import { storableText } from '../base/db/storable-text.ts';
import { erasedAddress } from '../base/personal-data.ts';

/** An open or a click. */
export interface Engagement {
  event_id: string;
  mail_id: string;
  at: Date;
  event: 'opened' | 'clicked';
  url: string | null;
  user_agent: string | null;
  /** As far as the request shows. */
  is_machine: boolean;
  /** Simulated by the sandbox: counts as a person's, however soon after the delivery. */
  is_scripted: boolean;
}

/** Rows per mail, hour and kind. Further visits only raise the count of the last row (contract §8). */
const maxRows = { of_people: 80, of_machines: 20 };

/** Serializes the writers of one mail, so that the bound holds; ordered, to avoid deadlocks. */
const lock: Statement = {
  name: 'events.lock_visited_mails',
  text: `
    select from mails where mail_id = any ($1::uuid[]) and mail_id between $2 and $3
    order by mail_id for no key update`,
};

/** The unit of `max_rows`. */
const group = 'mail_id, event, by_machine, hour';

/**
 * Inserts the events of a batch of visits and, for people's visits, raises the counters of the mail. A visit before the
 * delivery, or within two seconds of it, is a scanner's. Mails past their retention, and those of erased people, are skipped. Idempotent per batch: a
 * row that absorbs surplus visits remembers the last one. Rows are only counted when a mail's counter shows that there may
 * be too many. `surplus` are the visits beyond `max_rows`; they are added to the last row of their group.
 */
const record: Statement = {
  name: 'events.record_engagement',
  text: `
    with visit as (
      select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::text[],
        $7::boolean[], $8::boolean[])
        as v (event_id, mail_id, at, event, url, user_agent, is_machine, is_scripted)
    ), known as (
      select v.*, date_trunc('hour', v.at, 'UTC') as hour, m.msg_id, m.instance_id,
        case v.event when 'opened' then m.opens else m.clicks end as counted,
        v.is_machine or not v.is_scripted and case
          when m.sent_at is null then m.status in (1, 2, 5)
          else v.at < m.sent_at + interval '2 seconds'
        end as by_machine
      from visit v join mails m on m.mail_id = v.mail_id and m.mail_id between $9 and $10
        and m.recipient <> '${erasedAddress}'
    ), rank as (
      select k.*, row_number() over (partition by ${group} order by event_id) as rank,
        count(*) over (partition by ${group}) as visits,
        case when by_machine then ${maxRows.of_machines} else ${maxRows.of_people} end as max_count
      from known k
    ), ranked as (
      -- Once for all visits of a group, by its first one.
      select t.*, sum(case when rank = 1 and (by_machine or counted + visits > max_count) then (
          select count(*) from events e
          where e.mail_id = t.mail_id and e.event = t.event and e.event in ('opened', 'clicked')
            and (e.reason is not null) = t.by_machine and date_trunc('hour', e.at, 'UTC') = t.hour
            and e.event_id >= $11 and e.event_id < $12
        ) else 0 end) over (partition by ${group}) as rows
      from rank t
    ), surplus as (
      select ${group}, min(rows) >= min(max_count) as is_full, count(*) as added, max(event_id::text) as last_visit
      from ranked p where rows + rank > max_count and not exists (select from events e where e.event_id = p.event_id)
      group by ${group}
    ), written as (
      insert into events (event_id, mail_id, msg_id, instance_id, at, event, reason, data, visits)
      select event_id, mail_id, msg_id, instance_id, at, event, case when by_machine then 'machine' end,
        jsonb_strip_nulls(jsonb_build_object('url', url, 'user_agent', user_agent, 'is_machine', by_machine,
          'last_visit', case when rows + rank = max_count then last_visit end)),
        case when rows + rank = max_count then 1 + coalesce(added, 0) else 1 end
      from ranked left join surplus using (${group})
      where rows + rank <= max_count
      on conflict (event_id) do nothing
      returning mail_id, event, reason, visits
    ), raised as (
      update events e set visits = e.visits + s.added, data = e.data || jsonb_build_object('last_visit', s.last_visit)
      from surplus s cross join lateral (
        select event_id from events
        where mail_id = s.mail_id and event = s.event and event in ('opened', 'clicked')
          and (reason is not null) = s.by_machine and date_trunc('hour', at, 'UTC') = s.hour
          and event_id >= $11 and event_id < $12
        order by event_id desc limit 1
      ) as last
      where s.is_full and e.event_id = last.event_id and e.event_id >= $11 and e.event_id < $12
        and e.data ->> 'last_visit' is distinct from s.last_visit
      returning e.mail_id, e.event, e.reason, s.added
    ), counted_visit as (
      select * from written union all select * from raised
    ), counted as (
      update mails m set opens = m.opens + w.opens, clicks = m.clicks + w.clicks
      from (
        select mail_id, coalesce(sum(visits) filter (where event = 'opened'), 0) as opens,
          coalesce(sum(visits) filter (where event = 'clicked'), 0) as clicks
        from counted_visit where reason is null group by mail_id
      ) w
      where m.mail_id = w.mail_id and m.mail_id between $9 and $10
    )
    select event, reason is not null as is_machine, sum(visits)::bigint as count from counted_visit group by 1, 2`,
};

export interface RecordedEngagement {
  event: Engagement['event'];
  is_machine: boolean;
  count: number;
}

const hourMs = 3_600_000;

/** Lower bound of the identifiers of an hour, as a value, so that PostgreSQL prunes partitions. */
function firstIdOf(hour = 0): string {
  const time = (hour * hourMs).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

export async function recordEngagement(
  db: Pick<Database, 'transaction'>,
  engagements: Engagement[],
): Promise<RecordedEngagement[]> {
  const mails = [...new Set(engagements.map(({ mail_id }) => mail_id))].toSorted();
  const range = [mails[0], mails.at(-1)];
  const hours = engagements.map(({ at }) => Math.floor(at.getTime() / hourMs)).toSorted((a, b) => a - b);
  return await db.transaction(async (tx) => {
    await tx.query(lock, [mails, ...range]);
    return await tx.query<RecordedEngagement>(record, [
      ...columnsOf(engagements, ['event_id', 'mail_id']),
      arrayLiteral(engagements.map(({ at }) => at.toISOString())),
      ...columnsOf(engagements, ['event', 'url']),
      arrayLiteral(engagements.map(({ user_agent }) => user_agent && storableText(user_agent))),
      ...columnsOf(engagements, ['is_machine', 'is_scripted']),
      ...range,
      firstIdOf(hours[0]),
      firstIdOf((hours.at(-1) ?? 0) + 1),
    ]);
  });
}
