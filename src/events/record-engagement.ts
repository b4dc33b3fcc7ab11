import { arrayLiteral, columnsOf } from '../base/db/columns.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import { storableText } from '../base/db/storable-text.ts';

/** A mail that was opened, or a link of it that was followed. */
export interface Engagement {
  event_id: string;
  mail_id: string;
  at: Date;
  event: 'opened' | 'clicked';
  url: string | null;
  user_agent: string | null;
  /** As far as the request told. */
  is_machine: boolean;
  /** Done by the sandbox in place of a person: it counts as theirs, however soon after the delivery. */
  is_scripted: boolean;
}

/**
 * One statement for many visits: the events, and the counters of the mail for those of people. What comes before the
 * mail was delivered, or within two seconds of it, is a machine that looks into mail on its way. Mails past their
 * retention are left out; a batch that is written twice counts once.
 */
const record: Statement = {
  name: 'events.record_engagement',
  text: `
    with visit as (
      select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::text[],
        $7::boolean[], $8::boolean[])
        as v (event_id, mail_id, at, event, url, user_agent, is_machine, is_scripted)
    ), known as (
      select v.*, m.msg_id, m.instance_id,
        v.is_machine or not v.is_scripted and case
          when m.sent_at is null then m.status in (1, 2, 5)
          else v.at < m.sent_at + interval '2 seconds'
        end as by_machine
      from visit v join mails m on m.mail_id = v.mail_id and m.mail_id between $9 and $10
    ), written as (
      insert into events (event_id, mail_id, msg_id, instance_id, at, event, reason, data)
      select event_id, mail_id, msg_id, instance_id, at, event, case when by_machine then 'machine' end,
        jsonb_strip_nulls(jsonb_build_object('url', url, 'user_agent', user_agent, 'is_machine', by_machine))
      from known
      on conflict (event_id) do nothing
      returning mail_id, event, reason
    ), counted as (
      update mails m set opens = m.opens + w.opens, clicks = m.clicks + w.clicks
      from (
        select mail_id, count(*) filter (where event = 'opened') as opens,
          count(*) filter (where event = 'clicked') as clicks
        from written where reason is null group by mail_id
      ) w
      where m.mail_id = w.mail_id and m.mail_id between $9 and $10
    )
    select event, reason is not null as is_machine, count(*) as count from written group by 1, 2`,
};

/** Writing down a moment takes 1.2 µs, and visits that come in numbers share theirs. */
function momentsOf(engagements: Engagement[]): string[] {
  let last = Number.NaN;
  let text = '';
  return engagements.map(({ at }) => {
    const time = at.getTime();
    if (time !== last) text = at.toISOString();
    last = time;
    return text;
  });
}

export interface RecordedEngagement {
  event: Engagement['event'];
  is_machine: boolean;
  count: number;
}

export async function recordEngagement(
  db: Queryable,
  engagements: Engagement[],
): Promise<RecordedEngagement[]> {
  const sorted = engagements.map(({ mail_id }) => mail_id).toSorted();
  return await db.query<RecordedEngagement>(record, [
    ...columnsOf(engagements, ['event_id', 'mail_id']),
    arrayLiteral(momentsOf(engagements)),
    ...columnsOf(engagements, ['event', 'url']),
    arrayLiteral(engagements.map(({ user_agent }) => user_agent && storableText(user_agent))),
    ...columnsOf(engagements, ['is_machine', 'is_scripted']),
    sorted[0],
    sorted.at(-1),
  ]);
}
