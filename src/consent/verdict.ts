import { createBatcher, lookUps } from '../base/db/batcher.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import { canonicalContact, type Contact } from '../base/contacts.ts';
import { unsealed } from './record/event-filters.ts';
import type { Channel } from './catalogue/term-schemas.ts';

export type ConsentVerdict = 'allow' | 'deny' | 'none';

export interface ConsentQuery {
  instance_id: number;
  channel: Channel;
  purpose_id: number;
  /** Any spelling. */
  contacts: Contact[];
}

/** The verdict of one contact, and the rule it is based on. */
export interface ContactVerdict {
  verdict: ConsentVerdict;
  rule_id: number | null;
  consent_event_id: number | null;
  term_id: number | null;
  decided_at: Date | null;
}

/** Results by position. */
export type ConsentLookup = (query: ConsentQuery) => Promise<ContactVerdict[]>;

export const noRule: ContactVerdict = {
  verdict: 'none',
  rule_id: null,
  consent_event_id: null,
  term_id: null,
  decided_at: null,
};

/**
 * Per term the newest rule of a confirmed event stands. Among standing rules a denial wins, else the newest decides
 * (contract §17). A rule is as old as its event: a late confirmation does not undo a later denial. Inactive terms and
 * disabled purposes count, since they end new consents, not existing ones.
 *
 * With three rules for each of 60,000 contacts: 41 µs per recipient in a query of 50 (22 in the server), 64 µs for 50
 * concurrent queries of one. Only rules of events recorded as pending look for an outcome.
 */
const resolve: Statement = {
  name: 'consent.resolve',
  text: `
    select wanted.number, won.verdict, won.rule_id, won.consent_event_id, won.term_id, won.decided_at
    from unnest($1::integer[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[])
      as wanted (number, instance_id, purpose_id, channel, contact_type, contact)
    cross join lateral (
      select standing.*
      from (
        select distinct on (r.term_id) r.term_id, r.action as verdict, r.id as rule_id, r.event_id as consent_event_id,
          coalesce(o.at, r.created_at) as decided_at
        from consent_rules r
        left join consent_event_outcomes o on o.event_id = case when not r.is_confirmed then r.event_id end
        where r.instance_id = wanted.instance_id and r.contact = wanted.contact and r.purpose_id = wanted.purpose_id
          and r.channel = wanted.channel and r.contact_type = wanted.contact_type
          and (r.is_confirmed or o.status = 'confirmed') and ${unsealed('r.event_id')}
        order by r.term_id, r.id desc
      ) as standing
      order by standing.verdict = 'deny' desc, standing.rule_id desc
      limit 1
    ) as won`,
};

async function resolveAll(db: Queryable, queries: ConsentQuery[]): Promise<ContactVerdict[][]> {
  const results = queries.map(({ contacts }) => contacts.map(() => noRule));
  const wanted = queries.flatMap(({ contacts, ...query }, position) =>
    contacts.map((contact, index) => ({ position, index, ...query, ...contact })),
  );
  const rows = await db.query<ContactVerdict & { number: number }>(resolve, [
    wanted.map((_, number) => number),
    wanted.map(({ instance_id }) => instance_id),
    wanted.map(({ purpose_id }) => purpose_id),
    wanted.map(({ channel }) => channel),
    wanted.map(({ contact_type }) => contact_type),
    wanted.map(canonicalContact),
  ]);
  for (const { number, ...verdict } of rows) {
    const { position = -1, index = -1 } = wanted[number] ?? {};
    results[position]?.splice(index, 1, verdict);
  }
  return results;
}

/** Concurrent look-ups share a query. */
export function createConsentLookup(db: Queryable): ConsentLookup {
  const run = async (queries: ConsentQuery[]) => await resolveAll(db, queries);
  return createBatcher({ run, ...lookUps }).add;
}

/** Of all identifiers of a holder: one denial denies, else one consent allows. */
export function overallVerdict(verdicts: ContactVerdict[]): ConsentVerdict {
  const said = new Set(verdicts.map(({ verdict }) => verdict));
  return (['deny', 'allow'] as const).find((verdict) => said.has(verdict)) ?? 'none';
}

const dropReasons = {
  allow: undefined,
  deny: 'consent_revoked',
  none: 'consent_missing',
} as const satisfies Record<ConsentVerdict, string | undefined>;

/** Drop reason of a sender that requires consent; undefined when the mail may be sent (contract §6). */
export type ConsentDrop = (typeof dropReasons)[ConsentVerdict];

interface Recipients {
  instance_id: number;
  purpose_id: number;
  addresses: string[];
}

const queryOf = ({ addresses, ...query }: Recipients): ConsentQuery => ({
  ...query,
  channel: 'mail',
  contacts: addresses.map((contact) => ({ contact_type: 'email_address', contact })),
});

/** By position of the recipients of one send. */
export async function findConsentDrops(
  lookUp: ConsentLookup,
  recipients: Recipients,
): Promise<ConsentDrop[]> {
  const verdicts = await lookUp(queryOf(recipients));
  return verdicts.map(({ verdict }) => dropReasons[verdict]);
}

/** For several sends at once. */
export async function findConsentDropsOfAll(db: Queryable, sends: Recipients[]): Promise<ConsentDrop[][]> {
  const results = await resolveAll(db, sends.map(queryOf));
  return results.map((verdicts) => verdicts.map(({ verdict }) => dropReasons[verdict]));
}
