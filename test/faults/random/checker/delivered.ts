import { copiesByMail, erasedAddress, nameOf, some, status, type Check, type MailRow } from './evidence.ts';
import { isUnheard, wasInHand } from './silences.ts';

/** No mail arrives twice except after a lost answer, every record is true, and no mail waits without a reason. */
export const checkDelivered: Check = (evidence) => {
  const { history, rows, people } = evidence;
  const copies = copiesByMail(history);
  const doubled: string[] = [];
  for (const [mail, list] of copies) {
    const own = list.filter((copy) => !wasInHand(history, copy)).toSorted((a, b) => a.taken_at - b.taken_at);
    if (own.slice(0, -1).some((copy) => !isUnheard(history, copy))) doubled.push(mail);
  }
  const named = rows.mails.filter(
    ({ to, source, send }) => to !== erasedAddress && send !== undefined && source !== 'form',
  );
  const heard = (mail: MailRow): boolean =>
    (copies.get(nameOf(mail)) ?? []).some(
      ({ answered_at, code }) => code === 250 && answered_at !== undefined,
    );
  const gone = new Set(people.filter(({ kind }) => kind === 'gone').map(({ address }) => address));
  const known = new Set(named.map(nameOf));
  const erased = new Set(rows.mails.filter(({ to }) => to === erasedAddress).map(({ send }) => send));
  const isErased = (send: string): boolean => erased.has(send) || erased.has(undefined);
  const unsent = named.filter((mail) => mail.status === status.sent && !heard(mail));
  const sent = named.filter(
    (mail) =>
      mail.status !== status.sent &&
      (copies.get(nameOf(mail)) ?? []).some((copy) => !isUnheard(history, copy)),
  );
  const bounced = named.filter((mail) => mail.status === status.bounced && !gone.has(mail.to));
  const strange = [...copies.keys()].filter((key) => {
    const [subject = ''] = key.split(' ');
    return /^o\d+/.test(subject) && !known.has(key) && !isErased(subject);
  });
  return [
    ...some('delivered', 'arrived twice', doubled),
    ...some('delivered', 'recorded as sent, and no server took them', unsent.map(nameOf)),
    ...some(
      'delivered',
      'taken by a server, and not recorded as sent',
      sent.map((mail) => `${nameOf(mail)} (${mail.status})`),
    ),
    ...some('delivered', 'bounced though their servers refused nothing', bounced.map(nameOf)),
    ...some('delivered', 'arrived without being stored', strange),
    ...checkWaiting(evidence),
  ];
};

/** Later than this, a mail that is due has been forgotten. */
const overdueMs = 5_000;
const waiting = new Set<number>([status.queued, status.deferred, status.held]);

function checkWaiting({ rows: { mails, queue } }: Parameters<Check>[0]): ReturnType<typeof some> {
  const ids = new Set(mails.map(({ mail_id }) => mail_id));
  const pending = mails.filter((mail) => waiting.has(mail.status));
  const name = (mail: MailRow): string => `${nameOf(mail)} (${mail.status})`;
  const rowOf = ({ mail_id }: MailRow) => queue.get(mail_id);
  return [
    ...some('waiting', 'wait and are not in the queue', pending.filter((mail) => !rowOf(mail)).map(name)),
    ...some(
      'waiting',
      'are over and still in the queue',
      mails.filter((mail) => !waiting.has(mail.status) && rowOf(mail)).map(name),
    ),
    ...some(
      'waiting',
      'in the queue without a mail',
      [...queue.keys()].filter((id) => !ids.has(id)),
    ),
    ...some(
      'waiting',
      'due and not attempted',
      pending.filter((mail) => (rowOf(mail)?.due_in_ms ?? 0) < -overdueMs).map(name),
    ),
    ...some(
      'waiting',
      'under a lease that nobody has',
      pending.filter((mail) => rowOf(mail)?.is_leased).map(name),
    ),
    ...some(
      'waiting',
      'held though nothing holds them',
      pending.filter((mail) => rowOf(mail)?.is_held).map(name),
    ),
  ];
}
