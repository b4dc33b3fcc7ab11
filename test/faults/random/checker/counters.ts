import { nameOf, some, type Check, type Evidence } from './evidence.ts';

/** Columns of the statistics that count mails by what they are now. */
const counts: Record<string, string> = {
  received: 'count(*)',
  queued: 'count(*) filter (where status = 2)',
  sent: 'count(*) filter (where status = 3)',
  dropped: 'count(*) filter (where status = 4)',
  deferred: 'count(*) filter (where status = 5)',
  bounced: 'count(*) filter (where status = 6)',
  onhold: 'count(*) filter (where status = 7)',
  opens: 'coalesce(sum(opens), 0)',
  unique_opens: 'count(*) filter (where opens > 0)',
  clicks: 'coalesce(sum(clicks), 0)',
  unique_clicks: 'count(*) filter (where clicks > 0)',
};
const names = Object.keys(counts);
const counted = names.map((name) => `${counts[name]} as ${name}`).join(', ');
const summed = names.map((name) => `coalesce(sum(${name}), 0) as ${name}`).join(', ');

interface Difference {
  place: string;
  name: string;
  rows: string;
  counter: string;
}

/** Mails against a table of sums, which lacks what was not folded into it yet. */
function comparison(
  place: string,
  { of_mails, table, key }: { of_mails: string; table: string; key: string },
): string {
  const values = names
    .map((name) => `('${name}', coalesce(m.${name}, 0), coalesce(s.${name}, 0))`)
    .join(', ');
  return `
    with of_mails as (
      select instance_id, ${of_mails} as key, ${counted} from mails group by 1, 2
    ), of_sums as (
      select instance_id, key, ${summed} from (
        select instance_id, ${key} as key, ${names.join(', ')} from ${table}
        union all
        select instance_id, ${of_mails.replaceAll('received_at', 'quarter')}, ${names.join(', ')} from stats_deltas
      ) as s group by 1, 2
    )
    select '${place} ' || coalesce(m.key, s.key) as place, c.name, c.rows::text, c.counter::text
    from of_mails m full join of_sums s using (instance_id, key)
    cross join lateral (values ${values}) as c (name, rows, counter)
    where c.rows <> c.counter and coalesce(m.key, s.key) is not null`;
}

const day = `to_char(received_at at time zone 'UTC', 'YYYY-MM-DD')`;
const detail = `sender_id || ' ' || coalesce(category_id, 0)`;
const comparisons = [
  comparison('day', {
    of_mails: day,
    table: 'stats_days where not is_detail',
    key: day.replace('received_at', 'day'),
  }),
  comparison('quarters', {
    of_mails: day,
    table: 'stats_quarters where not is_detail',
    key: day.replace('received_at', 'quarter'),
  }),
  comparison('sender and category', {
    of_mails: detail,
    table: 'stats_quarters where is_detail',
    key: detail,
  }),
  comparison('group', {
    of_mails: 'custom_group_code',
    table: 'stats_group_quarters',
    key: 'custom_group_code',
  }),
];

/** Every counter equals the rows that it counts. */
export const checkCounters: Check = async ({ query, rows, history }) => {
  const differences = (
    await Promise.all(comparisons.map(async (sql) => await query<Difference>(sql)))
  ).flat();
  const lines = differences.map(
    ({ place, name, rows: right, counter }) => `${name} of ${place}: ${counter} for ${right}`,
  );
  return [
    ...some('counters', 'statistics that differ from the mails', lines),
    ...some('counters', 'opens and clicks that differ from their events', visitDifferences(rows)),
    ...(await checkPlan(query, history)),
    ...(await checkEngagements(query)),
  ];
};

function visitDifferences({ mails, events }: Evidence['rows']): string[] {
  const visits = Map.groupBy(
    events.filter(({ event, reason }) => (event === 'opened' || event === 'clicked') && reason !== 'machine'),
    ({ mail_id, event }) => `${mail_id} ${event}`,
  );
  const count = (key: string): number =>
    (visits.get(key) ?? []).reduce((sum, { visits: each }) => sum + each, 0);
  return mails
    .filter(
      ({ mail_id, opens, clicks }) =>
        opens !== count(`${mail_id} opened`) || clicks !== count(`${mail_id} clicked`),
    )
    .map(nameOf);
}

/** Faults that may end a node between its reservation and the mail, which then counts though it was not accepted. */
const interrupting = new Set([
  'kill node',
  'kill database',
  'stop database',
  'fail over',
  'full disk',
  'read only',
  'cut answers',
  'partition',
]);

async function checkPlan(
  query: Evidence['query'],
  { faults }: Evidence['history'],
): Promise<ReturnType<typeof some>> {
  const usage = await query<{ used: number; mails: number }>(
    `select p.used::int, (select count(*)::int from mails m where m.instance_id = p.instance_id and m.status <> 4) as mails
     from plan_usage p join instances i on i.id = p.instance_id where i.plan_send_limit is not null`,
  );
  const wasInterrupted = faults.some(({ kind }) => interrupting.has(kind));
  const wrong = usage.filter(({ used, mails }) => (wasInterrupted ? used < mails : used !== mails));
  return some(
    'counters',
    'counts of the plan that differ',
    wrong.map(({ used, mails }) => `${used} for ${mails} mails`),
  );
}

/** Unsubscribes and complaints are counted apart from mails. */
async function checkEngagements(query: Evidence['query']): Promise<ReturnType<typeof some>> {
  const [row] = await query<Record<string, number>>(
    `select (select count(*)::int from complaints) as complaints, (select count(*)::int from unsubscribes) as unsubscribes,
       coalesce(sum(complaints), 0)::int as counted_complaints, coalesce(sum(unsubscribes), 0)::int as counted_unsubscribes
     from (select complaints, unsubscribes from stats_quarters where not is_detail
       union all select complaints, unsubscribes from stats_deltas) as s`,
  );
  const wrong = ['complaints', 'unsubscribes'].filter((name) => row?.[name] !== row?.[`counted_${name}`]);
  return some(
    'counters',
    'sums that differ from their rows',
    wrong.map((name) => `${name}: ${row?.[`counted_${name}`]} for ${row?.[name]}`),
  );
}
