import type { Queryable } from '../base/db/database.ts';
import { reported, statTotals, type StatTotals } from './stats-columns.ts';
import { ofFamilies } from './stats-breakdown.ts';
import type { StatsBreakdown } from './stats-schemas.ts';

const sums = statTotals.map((name) => `sum(${name})::bigint as ${name}`).join(', ');
const folded = statTotals.map((name) => reported(name, 'folded')).join(', ');
const deltas = statTotals.map((name) => reported(name, 'deltas')).join(', ');

/** Totals of groups of mails over all time, from quarters of an hour: the cost does not grow with the mails. */
export async function readGroupTotals(
  db: Queryable,
  instanceId: number,
  groups: string[],
): Promise<Map<string, StatTotals>> {
  const rows = await db.query<StatTotals & { custom_group_code: string }>(
    `select custom_group_code, ${sums} from (
       select custom_group_code, ${folded} from stats_group_quarters
       where instance_id = $1 and custom_group_code = any ($2::text[])
       union all
       select custom_group_code, ${deltas} from stats_deltas
       where instance_id = $1 and custom_group_code = any ($2::text[])
     ) as counted (custom_group_code, ${statTotals.join(', ')})
     group by 1`,
    [instanceId, groups],
  );
  return new Map(rows.map(({ custom_group_code, ...totals }) => [custom_group_code, totals]));
}

interface Group {
  custom_group_code: string;
  /** When its first mail was accepted. */
  since: Date;
}

export interface GroupVisits {
  hours: { at: Date; opens: number; clicks: number }[];
  links: { url: string; clicks: number; recipients: number }[];
}

const visitDays = 31;
const maxLinks = 100;

/** Visits of people, not of machines; each kind is read by its own index. */
const visitsOf = (event: 'opened' | 'clicked'): string => `
  select e.event, e.at, e.visits, e.mail_id, e.data ->> 'url' as url
  from events e join mails m on m.mail_id = e.mail_id
  where e.instance_id = $1 and e.event = '${event}' and e.event_id >= uuid_at($3::timestamptz)
    and e.event_id < uuid_at($3::timestamptz + interval '${visitDays} days')
    and m.instance_id = $1 and m.custom_group_code = $2 and m.mail_id >= uuid_at($3::timestamptz) and not m.test_mode
    and not coalesce((e.data ->> 'is_machine')::boolean, false)`;

/** When mails of a group were opened and clicked, by hour, and which of their links. The cost grows with the visits. */
export async function readGroupVisits(
  db: Queryable,
  instanceId: number,
  { custom_group_code, since }: Group,
): Promise<GroupVisits> {
  const [row] = await db.query<{
    hours: (Omit<GroupVisits['hours'][number], 'at'> & { at: string })[] | null;
    links: GroupVisits['links'] | null;
  }>(
    `with visit as materialized (${visitsOf('opened')} union all ${visitsOf('clicked')}),
     hours as (
       select date_trunc('hour', at, 'UTC') as at, coalesce(sum(visits) filter (where event = 'opened'), 0) as opens,
         coalesce(sum(visits) filter (where event = 'clicked'), 0) as clicks
       from visit group by 1 order by 1
     ), links as (
       select url, sum(visits) as clicks, count(distinct mail_id) as recipients
       from visit where event = 'clicked' and url is not null group by 1 order by 2 desc, 1 limit ${maxLinks}
     )
     select (select jsonb_agg(hours) from hours) as hours, (select jsonb_agg(links) from links) as links`,
    [instanceId, custom_group_code, since],
  );
  return {
    hours: (row?.hours ?? []).map(({ at, ...counts }) => ({ at: new Date(at), ...counts })),
    links: row?.links ?? [],
  };
}

const maxDomains = 300;

/** The providers that most mails of a group went to, and what came of them. */
export async function readProvidersOfGroup(
  db: Queryable,
  instanceId: number,
  { custom_group_code, since }: Group,
): Promise<StatsBreakdown['providers']> {
  const domains = await db.query<StatsBreakdown['providers'][number] & Record<string, unknown>>(
    `select lower(split_part(recipient, '@', -1)) as provider, count(*) as received,
       count(*) filter (where status = 3) as sent, count(*) filter (where status = 5) as deferred,
       count(*) filter (where status = 6) as bounced, count(*) filter (where opens > 0) as unique_opens
     from mails
     where instance_id = $1 and custom_group_code = $2 and mail_id >= uuid_at($3::timestamptz) and not test_mode
       and recipient <> 'erased@erased.invalid'
     group by 1 order by 2 desc limit ${maxDomains}`,
    [instanceId, custom_group_code, since],
  );
  return ofFamilies(domains);
}
