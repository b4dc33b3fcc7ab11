import type { Entry, MailReceipt } from '../history.ts';
import type { SenderKind } from '../plan/planned.ts';
import { copiesByMail, nameOf, some, status, type Check, type Evidence } from './evidence.ts';
import { sendsOf } from './sends.ts';
import { stillMs } from './silences.ts';

/** A time in which mail to an address is certainly not allowed. */
interface Stop {
  address: string;
  senders: SenderKind[];
  why: string;
  from: number;
  until: number;
}

const allSenders: SenderKind[] = ['plain', 'news', 'club'];
/** What stops mail, for whom, and what may let it through again. */
const rules: { stops: (entry: Entry) => boolean; senders: SenderKind[]; lifts: (entry: Entry) => boolean }[] =
  [
    { stops: is('unsubscribe'), senders: ['news'], lifts: is('resubscribe') },
    { stops: is('complain'), senders: allSenders, lifts: () => false },
    { stops: is('blocking'), senders: allSenders, lifts: is('lift') },
    { stops: is('erasure'), senders: allSenders, lifts: () => false },
    {
      stops: (entry) =>
        entry.kind === 'opposition' || (entry.kind === 'consent' && entry.request.action === 'deny'),
      senders: ['club'],
      lifts: (entry) => entry.kind === 'consent' && entry.request.action === 'allow',
    },
  ];

function is(kind: string): (entry: Entry) => boolean {
  return (entry) => entry.kind === kind;
}

/** No mail goes to an address after its refusal: not by a later send, and not by one that waited. */
export const checkSuppressed: Check = (evidence) => {
  const stops = [...findStops(evidence), ...withoutConsent(evidence)];
  return [...checkSends(evidence, stops), ...checkSecondLook(evidence, stops), ...checkDrops(evidence)];
};

/** From the answer until the first request that may have lifted it. */
function findStops({ history: { entries } }: Evidence): Stop[] {
  return rules.flatMap(({ stops, senders, lifts }) =>
    entries
      .filter((entry) => stops(entry) && entry.outcome === 'acknowledged')
      .flatMap((entry): Stop[] => {
        const [address = ''] = entry.request.addresses ?? [];
        const until = firstLift(entries, lifts, entry);
        const why = `${entry.kind} ${entry.id}`;
        return until > entry.ended_at ? [{ address, senders, why, from: entry.ended_at, until }] : [];
      }),
  );
}

/** Requests that overlap may have come in either order. */
function firstLift(entries: Entry[], lifts: (entry: Entry) => boolean, stop: Entry): number {
  const [address = ''] = stop.request.addresses ?? [];
  const later = entries.filter(
    (entry) =>
      lifts(entry) &&
      entry.outcome !== 'refused' &&
      entry.request.addresses?.includes(address) === true &&
      (entry.outcome === 'unanswered' || entry.ended_at > stop.began_at),
  );
  return Math.min(Infinity, ...later.map(({ began_at }) => began_at));
}

/** Who never agreed. */
function withoutConsent({ history: { entries }, people }: Evidence): Stop[] {
  return people.map(({ address }): Stop => {
    const allows = entries.filter(
      ({ kind, request, outcome }) =>
        kind === 'consent' &&
        request.action === 'allow' &&
        outcome !== 'refused' &&
        request.addresses?.[0] === address,
    );
    const until = Math.min(Infinity, ...allows.map(({ began_at }) => began_at));
    return { address, senders: ['club'], why: 'never agreed', from: 0, until };
  });
}

/** What the service may still do for a caller who is gone. */
const workAfterMs = 30_000;

function checkSends({ history, rows }: Evidence, stops: Stop[]): ReturnType<typeof some> {
  const sends = sendsOf(history).filter(({ outcome }) => outcome !== 'refused');
  const written = new Set(rows.mails.filter((mail) => mail.status !== status.dropped).map(nameOf));
  const copies = copiesByMail(history);
  const wrong = sends.flatMap(({ id, sender, addresses, began_at, ended_at, outcome }) => {
    const overAt = outcome === 'acknowledged' ? ended_at : ended_at + workAfterMs;
    return stops
      .filter(({ address, senders }) => sender && senders.includes(sender) && addresses.includes(address))
      .filter(({ from, until }) => began_at > from && overAt < until)
      .filter(({ address }) => written.has(`${id} ${address}`) || copies.has(`${id} ${address}`))
      .map(({ address, why }) => `${id} ${address} after ${why}`);
  });
  return some('suppressed', 'accepted for somebody who had said no', wrong);
}

/** From the second look until the message: connecting, and a little work. */
const attemptWithinMs = 6_000;
/** A mail waits so long for a connection while servers are slow. */
const waitWithinMs = 30_000;

function checkSecondLook(evidence: Evidence, stops: Stop[]): ReturnType<typeof some> {
  const { history } = evidence;
  const senderOf = new Map(sendsOf(history).map(({ id, sender }) => [id, sender]));
  const wrong = stops.flatMap(({ address, senders, why, from, until }) =>
    history.mails
      .filter(
        ({ to, subject, code }) =>
          to === address &&
          code !== 451 &&
          senders.includes(senderOf.get(subject) ?? 'plain') &&
          senderOf.has(subject),
      )
      .filter((mail) => mail.began_at > from + graceMs(evidence, mail, from) && mail.began_at < until)
      .map(
        ({ subject, began_at }) =>
          `${subject} ${address} ${Math.round((began_at - from) / 1000)} s after ${why}`,
      ),
  );
  return some('suppressed', 'sent to somebody who had said no', wrong);
}

function graceMs({ history }: Evidence, { node, began_at }: MailReceipt, from: number): number {
  const areSlow = history.faults.some(
    ({ kind, from: began, until }) =>
      kind === 'slow receivers' && began < began_at && until + waitWithinMs > from,
  );
  return attemptWithinMs + (areSlow ? waitWithinMs : 0) + stillMs(history, node, [from, began_at]);
}

/** Which act each reason of a drop needs. */
const reasons: Record<string, (entry: Entry) => boolean> = {
  recipient_unsubscribed: is('unsubscribe'),
  recipient_restricted: is('complain'),
  recipient_blocked: is('blocking'),
  recipient_erased: is('erasure'),
  consent_revoked: (entry) => rules.at(-1)?.stops(entry) === true,
};

function checkDrops({ history: { entries }, rows, people, senders }: Evidence): ReturnType<typeof some> {
  const reasonOf = new Map(
    rows.events.filter(({ event }) => event === 'dropped').map((row) => [row.mail_id, row.reason]),
  );
  const gone = new Set(people.filter(({ kind }) => kind === 'gone').map(({ address }) => address));
  const acts = entries.filter(({ outcome }) => outcome !== 'refused');
  const wrong = rows.mails
    .filter((mail) => mail.status === status.dropped && people.some(({ address }) => address === mail.to))
    .filter(({ mail_id, to, sender }) => {
      const reason = reasonOf.get(mail_id) ?? '';
      // `scheduled.ts` looks at these.
      if (reason === 'cancelled') return false;
      if (reason === 'consent_missing') return sender !== senders.club;
      if (reason === 'recipient_restricted' && gone.has(to)) return false;
      const isReason = reasons[reason];
      return !isReason || !acts.some((entry) => isReason(entry) && entry.request.addresses?.includes(to));
    });
  return some(
    'suppressed',
    'dropped without a reason',
    wrong.map((mail) => `${nameOf(mail)} (${reasonOf.get(mail.mail_id)})`),
  );
}
