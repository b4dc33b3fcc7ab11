import type { Entry } from '../history.ts';
import { erasedAddress, some, type Check, type Evidence, type MailRow } from './evidence.ts';
import { describeSend, sendsOf, type Send } from './sends.ts';

/** Nothing acknowledged is lost, nothing refused is stored, and nothing is stored twice or in part. */
export const checkAccepted: Check = (evidence) => {
  const { history, rows } = evidence;
  const stored = Map.groupBy(
    // A message that was erased before its send was answered can no longer be told from others.
    rows.mails.filter(({ source, send }) => source !== 'form' && send !== undefined),
    ({ send }) => send ?? '',
  );
  const sends = sendsOf(history);
  const asked = new Set(sends.map(({ id }) => id));
  const mailsOf = ({ id }: Send): MailRow[] => stored.get(id) ?? [];
  const lost = sends.filter((send) =>
    send.message_ids.some((id) => !mailsOf(send).some(({ msg_id }) => msg_id === id)),
  );
  const refused = sends.filter((send) => send.outcome === 'refused' && mailsOf(send).length > 0);
  const broken = sends.filter((send) => mailsOf(send).length > 0 && !isWhole(send, mailsOf(send)));
  const unknown = [...stored.keys()].filter((id) => !asked.has(id));
  return [
    ...some('accepted', 'acknowledged and not stored', lost.map(describeSend)),
    ...some('accepted', 'refused but stored', refused.map(describeSend)),
    ...some('accepted', 'stored twice or in part', broken.map(describeSend)),
    ...some('accepted', 'stored though nobody sent them', unknown),
    ...checkKeys(evidence, sends),
    ...checkBatches(evidence, new Set(stored.keys())),
    ...checkReads(evidence, sends),
  ];
};

/** One message, with one mail for each recipient. */
function isWhole(send: Send, mails: MailRow[]): boolean {
  const addresses = new Set(send.addresses);
  const named = mails.filter(({ to }) => to !== erasedAddress);
  return (
    new Set(mails.map(({ msg_id }) => msg_id)).size === 1 &&
    mails.length === addresses.size &&
    mails.every(({ rcpt_count }) => rcpt_count === addresses.size) &&
    new Set(named.map(({ to }) => to)).size === named.length &&
    named.every(({ to }) => addresses.has(to))
  );
}

/** A key gets one answer, again and again, and is not taken for another send. */
function checkKeys({ history: { entries } }: Evidence, sends: Send[]): ReturnType<typeof some> {
  const keyed = sends.filter(({ is_keyed }) => is_keyed);
  const several = keyed.filter(({ message_ids }) => message_ids.length > 1);
  const anew = keyed.filter(({ calls }) => {
    const answers = calls.filter(({ outcome }) => outcome === 'acknowledged');
    // SMTP has no header to say so.
    return (
      answers.filter(({ status, answer }) => status === 200 && answer['is_replayed'] !== true).length > 1
    );
  });
  const taken = entries.filter(
    ({ kind, outcome, status, reply }) =>
      kind === 'misuse' &&
      (outcome === 'acknowledged' || (status >= 400 && status < 500 && !reply.startsWith('idempotency'))),
  );
  return [
    ...some('keys', 'answered with several messages', several.map(describeSend)),
    ...some('keys', 'answered anew, in place of the first answer', anew.map(describeSend)),
    ...some(
      'keys',
      'taken for another send',
      taken.map(({ id, status, reply }) => `${id} (${status} ${reply})`),
    ),
  ];
}

/** Mails of a batch are committed together; those that were refused are not among them. */
function checkBatches(
  { history: { entries, faults } }: Evidence,
  stored: Set<string>,
): ReturnType<typeof some> {
  const batches = Map.groupBy(
    entries.filter(({ kind }) => kind === 'batch'),
    ({ id }) => id,
  );
  const erased = erasedPeople(entries);
  const parted: string[] = [];
  const rejected: string[] = [];
  for (const [id, calls] of batches) {
    const items = calls[0]?.request.items ?? [];
    const ids = items.map(({ custom_msg_id }) => custom_msg_id ?? '');
    // A message loses its name with the erasure of a recipient.
    const isNameless = items.some(({ addresses }) => addresses?.some((each) => erased.has(each)));
    const wrong = new Set(calls[0]?.request.refused);
    const right = ids.filter((each) => !wrong.has(each));
    const count = right.filter((each) => stored.has(each)).length;
    const isAnswered = calls.some(({ outcome }) => outcome === 'acknowledged');
    // While a domain loses its verification one mail may be refused for it and the next one not.
    const isChanging = calls.some(({ began_at, ended_at }) =>
      faults.some(
        (fault) =>
          fault.kind === 'unverified domain' &&
          fault.from < ended_at + 5_000 &&
          fault.until > began_at - 5_000,
      ),
    );
    if (!isAnswered && !isChanging && !isNameless && count > 0 && count < right.length)
      parted.push(`${id}: ${count} of ${right.length}`);
    const isRejected = wrong.size > 0 && calls[0]?.request.action === 'reject';
    if (ids.some((each) => stored.has(each) && (isRejected || wrong.has(each)))) rejected.push(id);
  }
  return [
    ...some('accepted', 'batches stored in part', parted),
    ...some('accepted', 'batches with a mail that had to be refused', rejected),
  ];
}

function erasedPeople(entries: Entry[]): Set<string> {
  return new Set(
    entries.filter(({ kind }) => kind === 'erasure').flatMap(({ request }) => request.addresses ?? []),
  );
}

const final = new Set([3, 4, 6]);

/** What was acknowledged is found by everybody from then on, and what is over stays as it is. */
function checkReads({ history: { entries } }: Evidence, sends: Send[]): ReturnType<typeof some> {
  const reads = entries.filter(({ kind, outcome }) => kind === 'read' && outcome === 'acknowledged');
  const blocked = new Set(
    entries.filter(({ kind }) => kind === 'blocking').flatMap(({ request }) => request.addresses ?? []),
  );
  const byId = new Map(sends.map((send) => [send.id, send]));
  const erased = erasedPeople(entries);
  const unread: string[] = [];
  const changed: string[] = [];
  for (const [id, list] of Map.groupBy(reads, ({ request }) => request.custom_msg_id ?? '')) {
    const send = byId.get(id);
    // Mail of a person who is blocked is not shown, and that of one who was erased has lost its name.
    if (!send || send.addresses.some((address) => blocked.has(address) || erased.has(address))) continue;
    let over = new Map<string, number>();
    for (const read of list.toSorted((a, b) => a.began_at - b.began_at)) {
      const mails = read.answer['data'] as { mail_id: string; status: number }[];
      const isLater = send.outcome === 'acknowledged' && read.began_at > send.ended_at;
      if (isLater && mails.length !== send.addresses.length) unread.push(`${id} by ${read.id}`);
      if (mails.some(({ mail_id, status }) => (over.get(mail_id) ?? status) !== status)) changed.push(id);
      const done = mails.filter(({ status }) => final.has(status));
      over = new Map(done.map(({ mail_id, status }) => [mail_id, status]));
    }
  }
  return [
    ...some('accepted', 'acknowledged and then not found', unread),
    ...some('events', 'changed in the eyes of readers after they were over', changed),
  ];
}
