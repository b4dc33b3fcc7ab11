import { nameOf, some, status, type Check, type EventRow, type MailRow } from './evidence.ts';

const moves = new Set(['sent', 'deferred', 'bounced', 'dropped', 'held', 'released']);
const ends = new Set(['sent', 'bounced', 'dropped']);
/** Nodes read the database's clock over connections that may be slow. */
const clockToleranceMs = 1_000;

/** The log of each mail is a story: in order, with one end, and the end is what the mail says of itself. */
export const checkEvents: Check = ({ rows: { mails, events } }) => {
  const byMail = Map.groupBy(events, ({ mail_id }) => mail_id);
  const known = new Map(mails.map((mail) => [mail.mail_id, mail]));
  const problems = mails.flatMap((mail) => {
    const log = (byMail.get(mail.mail_id) ?? []).filter(({ event }) => moves.has(event));
    return storyProblems(mail, log).map((problem) => `${nameOf(mail)}: ${problem}`);
  });
  const orphans = [...byMail.keys()].filter((mail_id) => !known.has(mail_id));
  return [
    ...some('events', 'with a log that cannot be', problems),
    ...some('events', 'events of mails that do not exist', orphans),
  ];
};

function storyProblems(mail: MailRow, log: EventRow[]): string[] {
  const problems: string[] = [];
  const endings = log.filter(({ event }) => ends.has(event));
  const last = log.at(-1);
  const attempts = log.flatMap(({ attempt, event }) =>
    attempt === null || event === 'held' ? [] : [attempt],
  );
  const sequence = log.map(({ event }) => event).join(' ');
  if (endings.length > 1) problems.push(`ended ${endings.length} times: ${sequence}`);
  if (endings.length === 1 && last && !ends.has(last.event))
    problems.push(`goes on after its end: ${sequence}`);
  if (attempts.some((attempt, at) => at > 0 && attempt <= (attempts[at - 1] ?? 0)))
    problems.push(`attempts ${attempts.join(', ')}`);
  if (log.some(({ at }, index) => index > 0 && at < (log[index - 1]?.at ?? 0) - clockToleranceMs))
    problems.push(`goes back in time: ${sequence}`);
  if (log.some(({ at }) => at < mail.received_at - clockToleranceMs))
    problems.push('begins before it was received');
  const expected = last ? last.status : status.queued;
  if (mail.status !== expected) problems.push(`status ${mail.status} after ${sequence || 'nothing'}`);
  const sent = log.find(({ event }) => event === 'sent');
  if ((sent?.at ?? null) !== mail.sent_at) problems.push('another time of sending than its event');
  return problems;
}
