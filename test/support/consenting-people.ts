import type { Queryable } from '../../src/base/db/database.ts';

interface People {
  instance_id: number;
  purpose_id: number;
  term_id: number;
  version_id: number;
  count: number;
}

const rowsAtOnce = 20_000;

/** What the `n`th person said: six of ten agree, of these every third by double opt-in. */
const kinds = `case when n % 10 < 6 then case when n % 3 = 0 then 'double' else 'single' end
  when n % 10 < 8 then 'withdrawn' when n % 10 = 8 then 'denied' else 'pending' end`;

/**
 * People who decided about a purpose, in bulk: of ten, six agree, two withdrew what they had agreed to, one denied and one never
 * confirmed. Their evidence has the shape of the real one, without a chain of hashes.
 */
export async function addConsentingPeople(db: Queryable, people: People): Promise<void> {
  for (let from = 1; from <= people.count; from += rowsAtOnce) {
    await addSome(db, people, { from, to: Math.min(people.count, from + rowsAtOnce - 1) });
  }
}

async function addSome(
  db: Queryable,
  { instance_id, purpose_id, term_id, version_id }: People,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await db.query(
    `with unchecked as materialized (
       -- Foreign keys hold by construction; to check them takes ten times as long.
       select set_config('session_replication_role', 'replica', true)
     ), person as materialized (
       select n, ${kinds} as kind from generate_series($5::integer, $6) n, unchecked
     ), act as (
       select n, kind, 'allow' as action, 1 as step from person where kind <> 'denied'
       union all select n, kind, 'deny', 2 from person where kind in ('withdrawn', 'denied')
     ), identified as (
       select *, nextval(pg_get_serial_sequence('consent_events', 'id')) as event_id from (select * from act order by step, n) as a
     ), event as (
       insert into consent_events (id, instance_id, term_id, term_version_id, text_hash, status, method, source, evidence, created_at,
         sequence, previous_hash, hash)
       overriding system value
       select event_id, $1, $3, $4, sha256('text'), case when kind in ('double', 'pending') then 'pending' else 'confirmed' end,
         case when kind in ('double', 'pending') then 'double_opt_in' else 'single_opt_in' end, 'form', '{}',
         date_trunc('milliseconds', now()), event_id + 1000000, sha256('before'), sha256(event_id::text::bytea)
       from identified returning id
     ), rule as (
       insert into consent_rules (event_id, instance_id, term_id, is_confirmed, channel, contact_type, contact, purpose_id, action,
         created_at)
       select event_id, $1, $3, kind not in ('double', 'pending'), 'mail', 'email_address', 'person' || n || '@sandbox.test', $2,
         action, date_trunc('milliseconds', now())
       from identified where (select count(*) from event) > 0 order by event_id
     )
     insert into consent_event_outcomes (event_id, instance_id, status, at, evidence, sequence, previous_hash, hash)
     select event_id, $1, 'confirmed', date_trunc('milliseconds', now()), '{}', event_id + 500000000, sha256('before'),
       sha256(event_id::text::bytea)
     from identified where kind = 'double' and (select count(*) from event) > 0`,
    [instance_id, purpose_id, term_id, version_id, from, to],
  );
}
