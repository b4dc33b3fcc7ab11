import type { Entry } from '../history.ts';
import { copiesByMail, erasedAddress, nameOf, some, type Check, type Evidence } from './evidence.ts';
import { sendsOf } from './sends.ts';

/** Clocks of the bed and of the database. */
const toleranceMs = 500;
/** A time so near may have passed when the send was accepted, and is then not kept. */
const passedMs = 5_000;

/** Mail goes out at its time and not before, or was cancelled and never does. */
export const checkScheduled: Check = (evidence) => {
  const { history } = evidence;
  const scheduled = new Map(
    sendsOf(history).flatMap(({ id, schedule_at, addresses }) =>
      schedule_at === undefined ? [] : [[id, { schedule_at, addresses }]],
    ),
  );
  return [...checkTimes(evidence, scheduled), ...checkCancelled(evidence)];
};

function changesOf({ entries }: Evidence['history'], kind: string): Map<string, Entry[]> {
  return Map.groupBy(
    entries.filter((entry) => entry.kind === kind && entry.outcome !== 'refused'),
    ({ request }) => request.of ?? '',
  );
}

type Scheduled = Map<string, { schedule_at: number; addresses: string[] }>;

function checkTimes({ history, rows }: Evidence, scheduled: Scheduled): ReturnType<typeof some> {
  const copies = copiesByMail(history);
  const moves = changesOf(history, 'reschedule');
  const early = [...scheduled].flatMap(([id, { schedule_at, addresses }]) => {
    const times = (moves.get(id) ?? []).map(({ request }) => request.schedule_at ?? 0);
    const first = Math.min(schedule_at, ...times) - toleranceMs;
    return addresses
      .map((to) => `${id} ${to}`)
      .filter((name) => copies.get(name)?.some(({ taken_at }) => taken_at < first));
  });
  const other = rows.mails.filter(({ send = '', schedule_at, received_at }) => {
    const asked = scheduled.get(send)?.schedule_at ?? 0;
    if (moves.has(send)) return false;
    return asked > received_at + passedMs && Math.abs((schedule_at ?? 0) - asked) > 1;
  });
  return [
    ...some('scheduled', 'sent before their time', early),
    ...some('scheduled', 'kept with another time', other.map(nameOf)),
  ];
}

function checkCancelled({ history, rows }: Evidence): ReturnType<typeof some> {
  const cancels = changesOf(history, 'cancel');
  const copies = copiesByMail(history);
  const ids = new Set(
    rows.events.filter(({ reason }) => reason === 'cancelled').map(({ mail_id }) => mail_id),
  );
  const cancelled = rows.mails.filter(({ mail_id }) => ids.has(mail_id));
  const unasked = cancelled.filter(({ send, to }) => to !== erasedAddress && !cancels.has(send ?? ''));
  const sent = cancelled.filter((mail) => copies.has(nameOf(mail)));
  const uncounted = [...cancels].filter(([id, calls]) => {
    const count = cancelled.filter(({ send }) => send === id).length;
    return calls.some(
      ({ outcome, answer }) => outcome === 'acknowledged' && Number(answer['cancelled']) > count,
    );
  });
  return [
    ...some('scheduled', 'cancelled and sent', sent.map(nameOf)),
    ...some('scheduled', 'cancelled though nobody asked for it', unasked.map(nameOf)),
    ...some(
      'scheduled',
      'fewer cancelled than was answered',
      uncounted.map(([id]) => id),
    ),
  ];
}
