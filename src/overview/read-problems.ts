import type { Queryable } from '../base/db/database.ts';
import type { Language } from '../base/http/preferred-language.ts';
import { reasonTitle } from '../explain/index.ts';
import { viewQueue } from '../queue/index.ts';
import type { OverviewProblem } from './overview-schemas.ts';

interface Found {
  kind: OverviewProblem['kind'];
  domain: string | null;
  reason: string | null;
  mails: number;
  mail_id: string | null;
}
type Cause = Omit<OverviewProblem, 'text'>;

const maxProblems = 10;
/** Of the newest of the last day; more of them would be the same few reasons. */
const maxSampled = 10_000;

/** What is wrong now or went wrong within a day, those of most mail first, in words. */
export async function readProblems(
  db: Queryable,
  instanceId: number,
  { since, language }: { since: Date; language: Language },
): Promise<OverviewProblem[]> {
  const found = [
    ...(await findDeferred(db, instanceId)),
    ...(await findHeld(db, instanceId)),
    ...(await findBounced(db, instanceId, since)),
    ...(await findDropped(db, instanceId, since)),
  ];
  return mergeByCause(found)
    .toSorted((one, other) => rank[one.severity] - rank[other.severity] || other.mails - one.mails)
    .slice(0, maxProblems)
    .map((cause) => ({ ...cause, text: textOf(cause, language) }));
}

const rank: Record<OverviewProblem['severity'], number> = { high: 0, medium: 1, low: 2 };
/** Held mail waits for a person of the instance; what a server refuses is mostly a matter of the recipient. */
const severityOf: Record<Found['kind'], OverviewProblem['severity']> = {
  held: 'high',
  deferred: 'medium',
  bounced: 'medium',
  dropped: 'low',
};
const maxDomains = 5;

/** The same thing at twenty destinations is one thing to look at. */
function mergeByCause(found: Found[]): Cause[] {
  const causes = Map.groupBy(found, ({ kind, reason }) => `${kind} ${reason}`);
  return [...causes.values()].flatMap((same) => {
    const sorted = same.toSorted((one, other) => other.mails - one.mails);
    const [first] = sorted;
    if (!first) return [];
    const domains = sorted.flatMap(({ domain }) => (domain ? [domain] : []));
    return [
      {
        kind: first.kind,
        reason: first.reason,
        severity: severityOf[first.kind],
        domains: domains.slice(0, maxDomains),
        domain_count: domains.length,
        mails: sorted.reduce((sum, { mails }) => sum + mails, 0),
        mail_id: first.mail_id,
      },
    ];
  });
}

async function findDeferred(db: Queryable, instanceId: number): Promise<Found[]> {
  const { destinations } = await viewQueue(db, instanceId);
  return destinations
    .filter(({ last_error }) => last_error !== null)
    .map(({ destination, mails, last_error }) => ({
      kind: 'deferred',
      domain: destination,
      reason: last_error,
      mails,
      mail_id: null,
    }));
}

async function findHeld(db: Queryable, instanceId: number): Promise<Found[]> {
  return await db.query<Found & Record<string, unknown>>(
    `select 'held' as kind, d.domain, null as reason, count(*) as mails, min(held.mail_id::text) as mail_id from (
       select mail_id, held_domain_id from queue where instance_id = $1 and held_since is not null limit $2
     ) as held left join domains d on d.id = held.held_domain_id group by d.domain`,
    [instanceId, maxSampled],
  );
}

async function findBounced(db: Queryable, instanceId: number, since: Date): Promise<Found[]> {
  return await db.query<Found & Record<string, unknown>>(
    `select 'bounced' as kind, lower(split_part(m.recipient, '@', -1)) as domain, e.reason, count(*) as mails,
       max(m.mail_id::text) as mail_id
     from (
       select mail_id, reason from events
       where instance_id = $1 and event = 'bounced' and event_id >= uuid_at($2::timestamptz)
       order by event_id desc limit $3
     ) as e join mails m on m.mail_id = e.mail_id group by 2, 3 order by 4 desc limit ${maxProblems}`,
    [instanceId, since, maxSampled],
  );
}

async function findDropped(db: Queryable, instanceId: number, since: Date): Promise<Found[]> {
  return await db.query<Found & Record<string, unknown>>(
    `select 'dropped' as kind, null as domain, e.reason, count(*) as mails, max(m.mail_id::text) as mail_id
     from (
       select mail_id from (
         select mail_id, status from mails where instance_id = $1 and mail_id >= uuid_at($2::timestamptz)
         order by mail_id desc limit $3
       ) as newest where status = 4
     ) as m join events e on e.mail_id = m.mail_id and e.event = 'dropped'
     group by e.reason order by 4 desc limit ${maxProblems}`,
    [instanceId, since, maxSampled],
  );
}

type Words = (mails: string, domains: string) => string;

const sentences: Record<Language, Record<Found['kind'], Words>> = {
  en: {
    deferred: (mails, domains) => `${mails} deferred by ${domains}`,
    bounced: (mails, domains) => `${mails} rejected by ${domains}`,
    dropped: (mails) => `${mails} not sent`,
    held: (mails, domains) => `${mails} waiting until ${domains || 'the instance'} can send`,
  },
  es: {
    deferred: (mails, domains) => `Diferidos por ${domains}: ${mails}`,
    bounced: (mails, domains) => `Rechazados por ${domains}: ${mails}`,
    dropped: (mails) => `${mails} sin enviar`,
    held: (mails, domains) => `${mails} en espera hasta que ${domains || 'la instancia'} pueda enviar`,
  },
};

function textOf({ kind, mails, domains, domain_count, reason }: Cause, language: Language): string {
  const number = mails.toLocaleString(language);
  const noun = { en: mails === 1 ? 'mail' : 'mails', es: mails === 1 ? 'correo' : 'correos' }[language];
  const sentence = sentences[language][kind](`${number} ${noun}`, namesOf(domains, domain_count, language));
  return reason === null ? sentence : `${sentence} (${reasonTitle(reason, language)})`;
}

/** The first two, and how many more. */
function namesOf([first = '', second]: string[], count: number, language: Language): string {
  const and = { en: 'and', es: 'y' }[language];
  if (second === undefined) return first;
  if (count === 2) return `${first} ${and} ${second}`;
  const more = count - 2;
  const others = { en: `${more} more`, es: `${more} más` }[language];
  return `${first}, ${second} ${and} ${others}`;
}
