import type { Queryable } from '../base/db/database.ts';
import type { Language } from '../base/http/preferred-language.ts';
import { reasonTitle } from '../explain/index.ts';
import { viewQueue } from '../queue/index.ts';
import type { OverviewProblem } from './overview-schemas.ts';

type Found = Omit<OverviewProblem, 'text'>;

const max_problems = 10;
/** Of the newest of the last day; more of them would be the same few reasons. */
const max_sampled = 10_000;

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
  return found
    .toSorted((a, b) => b.mails - a.mails)
    .slice(0, max_problems)
    .map((problem) => ({ ...problem, text: textOf(problem, language) }));
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
  return await db.query<Found>(
    `select 'held' as kind, d.domain, null as reason, count(*) as mails, min(held.mail_id::text) as mail_id from (
       select mail_id, held_domain_id from queue where instance_id = $1 and held_since is not null limit $2
     ) as held left join domains d on d.id = held.held_domain_id group by d.domain`,
    [instanceId, max_sampled],
  );
}

async function findBounced(db: Queryable, instanceId: number, since: Date): Promise<Found[]> {
  return await db.query<Found>(
    `select 'bounced' as kind, lower(split_part(m.recipient, '@', -1)) as domain, e.reason, count(*) as mails,
       max(m.mail_id::text) as mail_id
     from (
       select mail_id, reason from events
       where instance_id = $1 and event = 'bounced' and event_id >= uuid_at($2::timestamptz)
       order by event_id desc limit $3
     ) as e join mails m on m.mail_id = e.mail_id group by 2, 3 order by 4 desc limit ${max_problems}`,
    [instanceId, since, max_sampled],
  );
}

async function findDropped(db: Queryable, instanceId: number, since: Date): Promise<Found[]> {
  return await db.query<Found>(
    `select 'dropped' as kind, null as domain, e.reason, count(*) as mails, max(m.mail_id::text) as mail_id
     from (
       select mail_id from (
         select mail_id, status from mails where instance_id = $1 and mail_id >= uuid_at($2::timestamptz)
         order by mail_id desc limit $3
       ) as newest where status = 4
     ) as m join events e on e.mail_id = m.mail_id and e.event = 'dropped'
     group by e.reason order by 4 desc limit ${max_problems}`,
    [instanceId, since, max_sampled],
  );
}

const sentences: Record<Language, Record<Found['kind'], (mails: string, domain: string) => string>> = {
  en: {
    deferred: (mails, domain) => `${domain} defers ${mails}`,
    bounced: (mails, domain) => `${domain} did not take ${mails}`,
    dropped: (mails) => `${mails} not sent`,
    held: (mails, domain) => `${mails} waiting until ${domain || 'the instance'} is ready to send`,
  },
  es: {
    deferred: (mails, domain) => `${domain} pospone ${mails}`,
    bounced: (mails, domain) => `${domain} no aceptó ${mails}`,
    dropped: (mails) => `${mails} sin enviar`,
    held: (mails, domain) => `${mails} en espera hasta que ${domain || 'la instancia'} pueda enviar`,
  },
};

function textOf({ kind, mails, domain, reason }: Found, language: Language): string {
  const number = mails.toLocaleString(language);
  const noun = { en: mails === 1 ? 'mail' : 'mails', es: mails === 1 ? 'correo' : 'correos' }[language];
  const sentence = sentences[language][kind](`${number} ${noun}`, domain ?? '');
  return reason === null ? sentence : `${sentence}: ${reasonTitle(reason, language)}`;
}
