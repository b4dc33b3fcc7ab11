import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { readDateRange } from '../base/http/date-range.ts';
import { addCategory, sendersOfDomain } from './mail-filters.ts';
import { readStatsByHour } from './stats.ts';
import type { StatsBreakdown, StatsQuery } from './stats-schemas.ts';

const defaultMonths = 3;
/** Mails that the shares of providers are taken from: as many as are read in 50 ms. */
export const maxSampled = 10_000;
const max_domains = 300;
const maxProviders = 10;

/** Domains whose mailboxes one provider keeps. Others stand for themselves. */
const families: [name: string, domains: RegExp][] = [
  ['gmail.com', /^(?:gmail|googlemail)\.com$/],
  ['outlook.com', /^(?:outlook|hotmail|live|msn)\.[a-z.]{2,6}$/],
  ['yahoo.com', /^(?:yahoo|ymail|rocketmail)\.[a-z.]{2,6}$/],
  ['icloud.com', /^(?:icloud|me|mac)\.com$/],
  ['proton.me', /^(?:proton\.me|protonmail\.(?:com|ch)|pm\.me)$/],
];

interface BreakdownRequest {
  query: StatsQuery;
  now: Date;
  instance: { id: number; timezone: string };
}

type Provider = StatsBreakdown['providers'][number];

/** When mail goes out and is read, and to which providers it goes. */
export async function readBreakdown(db: Queryable, request: BreakdownRequest): Promise<StatsBreakdown> {
  const byHour = await readStatsByHour(db, request);
  const domains = await countByDomain(db, request);
  return {
    hours: byHour.map(({ received, sent, unique_opens, unique_clicks }, hour) => ({
      hour,
      received,
      sent,
      unique_opens,
      unique_clicks,
    })),
    providers: ofFamilies(domains),
    sampled: domains.reduce((sum, { received }) => sum + received, 0),
  };
}

/** Of the newest mails of the range, of any sender: matching mails may be few, and have no index. */
async function countByDomain(db: Queryable, { query, now, instance }: BreakdownRequest): Promise<Provider[]> {
  const { from, until } = readDateRange(query, { now, timezone: instance.timezone, months: defaultMonths });
  const conditions = new Conditions([instance.id, from, until, maxSampled])
    .where('sender_id = ?', query.sender_id)
    .where(`sender_id in (${sendersOfDomain})`, query.domain_id)
    .where('custom_group_code = ?', query.custom_group_code)
    .where('is_sandbox_address(recipient) = ?', query.sandbox);
  addCategory(conditions, { column: 'category_id', category: query.category, instance });
  return await db.query<Provider & Record<string, unknown>>(
    `select lower(split_part(recipient, '@', -1)) as provider, count(*) as received,
       count(*) filter (where status = 3) as sent, count(*) filter (where status = 5) as deferred,
       count(*) filter (where status = 6) as bounced, count(*) filter (where opens > 0) as unique_opens
     from (
       select recipient, status, opens, sender_id, category_id, custom_group_code from mails
       where instance_id = $1 and not test_mode and mail_id >= uuid_at($2::timestamptz) and mail_id < uuid_at($3::timestamptz)
         and recipient <> 'erased@erased.invalid'
       order by mail_id desc limit $4
     ) as newest where ${conditions.sql()}
     group by 1 order by 2 desc limit ${max_domains}`,
    conditions.values,
  );
}

export function ofFamilies(domains: Provider[]): Provider[] {
  const found = new Map<string, Provider>();
  for (const each of domains) {
    const provider = families.find(([, names]) => names.test(each.provider))?.[0] ?? each.provider;
    const sum = found.get(provider);
    found.set(provider, sum ? add(sum, each) : { ...each, provider });
  }
  return [...found.values()].toSorted((a, b) => b.received - a.received).slice(0, maxProviders);
}

function add(a: Provider, b: Provider): Provider {
  return {
    provider: a.provider,
    received: a.received + b.received,
    sent: a.sent + b.sent,
    deferred: a.deferred + b.deferred,
    bounced: a.bounced + b.bounced,
    unique_opens: a.unique_opens + b.unique_opens,
  };
}
