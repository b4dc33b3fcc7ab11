import type { HookReceipt } from '../history.ts';
import { erasedAddress, some, type Check, type EventRow, type Evidence } from './evidence.ts';

const types = new Set([
  'sent',
  'bounced',
  'dropped',
  'opened',
  'clicked',
  'unsubscribed',
  'resubscribed',
  'complained',
]);

interface DeliveryRow {
  event_id: string;
  webhook_id: number;
  state: string;
  due_in_ms: number | null;
  is_leased: boolean;
}

const deliveries = `
  select event_id, webhook_id::int, state, extract(epoch from due_at - now())::float8 * 1000 as due_in_ms,
    leased_until > now() as is_leased
  from webhook_deliveries`;

/** Alerts, which are about no mail. Events about people are withheld where they are blocked or erased. */
interface NoticeRow {
  event_id: string;
  type: string;
  data: Record<string, unknown>;
}

const notices = `
  select event_id, type, data from webhook_notices n
  where exists (select from webhooks w where w.instance_id = n.instance_id)`;

/** A webhook that was active all the time gets every event once or more, and none that does not exist. */
export const checkHooks: Check = async (evidence) => {
  const { history, rows, hooks, query } = evidence;
  const steady = new Map(
    (await query<DeliveryRow>(deliveries))
      .filter(({ webhook_id }) => webhook_id === hooks['steady'])
      .map((row) => [row.event_id, row]),
  );
  const own = history.hooks.filter(({ hook }) => hook === 'steady');
  const taken = new Set(own.filter(({ status }) => status === 204).map(({ id }) => id));
  const mails = new Map(rows.mails.map((mail) => [mail.mail_id, mail]));
  // Those of the platform itself have no webhook.
  const events = rows.events.filter(({ event, mail_id }) => types.has(event) && mails.has(mail_id));
  const blocked = new Set(
    history.entries
      .filter(({ kind }) => kind === 'blocking')
      .flatMap(({ request }) => request.addresses ?? []),
  );
  const missing = events.filter(
    ({ event_id, mail_id }) =>
      !taken.has(`msg_${event_id}`) &&
      !mayBeMissing(steady.get(event_id), blocked.has(mails.get(mail_id)?.to ?? '')),
  );
  const deferrals = rows.events.filter(({ event, mail_id }) => event === 'deferred' && mails.has(mail_id));
  const known = new Map([...events, ...deferrals].map((event) => [`msg_${event.event_id}`, event]));
  const alerts = await query<NoticeRow>(notices);
  const isNotice = new Set(alerts.map(({ event_id }) => `msg_${event_id}`));
  const unknown = history.hooks.filter(({ id }) => !known.has(id) && !isNotice.has(id));
  const wrong = own.filter((receipt) => isWrong(receipt, known.get(receipt.id)?.event, mails));
  return [
    ...some(
      'webhooks',
      'events that never arrived',
      missing.map(
        ({ event_id, event }) => `${event} ${event_id} (${steady.get(event_id)?.state ?? 'no delivery'})`,
      ),
    ),
    ...some(
      'webhooks',
      'deliveries of events that do not exist',
      unknown.map(({ id }) => id),
    ),
    ...some(
      'webhooks',
      'deliveries that say something else than their event',
      wrong.map(({ id, type }) => `${type} ${id}`),
    ),
    ...checkDeferrals(deferrals, { taken, steady, blocked, mails }),
    ...checkAlerts(
      alerts.filter(({ type }) => type.startsWith('alert.')),
      { taken, steady, own },
    ),
    ...checkPauses(evidence),
  ];
};

interface Taken {
  /** Identifiers of the webhook requests that were answered with 204. */
  taken: Set<string>;
  steady: Map<string, DeliveryRow>;
  blocked: Set<string>;
  mails: Map<string, { to: string }>;
}

/** The first deferral of a mail is announced, and at most one an hour: no run takes that long. */
function checkDeferrals(
  deferrals: EventRow[],
  { taken, steady, blocked, mails }: Taken,
): ReturnType<typeof some> {
  const wrong = [...Map.groupBy(deferrals, ({ mail_id }) => mail_id)].filter(([mail_id, events]) => {
    const announced = events.filter(({ event_id }) => steady.has(event_id) || taken.has(`msg_${event_id}`));
    const [only] = announced;
    if (!only || announced.length > 1) return true;
    const wasBlocked = blocked.has(mails.get(mail_id)?.to ?? '');
    return !taken.has(`msg_${only.event_id}`) && !mayBeMissing(steady.get(only.event_id), wasBlocked);
  });
  return some(
    'webhooks',
    'mails whose deferral was not announced once',
    wrong.map(([mail_id, events]) => `${mail_id} (${events.length} deferrals)`),
  );
}

function checkAlerts(
  alerts: NoticeRow[],
  { taken, steady, own }: Pick<Taken, 'taken' | 'steady'> & { own: HookReceipt[] },
): ReturnType<typeof some> {
  const wrong = alerts.filter(({ event_id, type, data }) => {
    const id = `msg_${event_id}`;
    if (!taken.has(id) && !mayBeMissing(steady.get(event_id), false)) return true;
    return own.some(
      (receipt) =>
        receipt.id === id && (receipt.type !== type || receipt.data['alert_id'] !== data['alert_id']),
    );
  });
  return some(
    'webhooks',
    'alerts that did not arrive as they were raised',
    wrong.map(
      ({ event_id, type }) => `${type} ${event_id} (${steady.get(event_id)?.state ?? 'no delivery'})`,
    ),
  );
}

/** It waits for its next attempt, or is about a blocked person. */
function mayBeMissing(row: DeliveryRow | undefined, wasBlocked: boolean): boolean {
  if (row?.state === 'pending') return (row.due_in_ms ?? 0) > 0 && !row.is_leased;
  return row?.state === 'discarded' && wasBlocked;
}

function isWrong(
  { type, data }: HookReceipt,
  event: string | undefined,
  mails: Map<string, { to: string }>,
): boolean {
  const mail = mails.get(String(data['mail_id']));
  if (event === undefined) return false;
  if (type !== `mail.${event}` || !mail) return true;
  return mail.to !== erasedAddress && String(data['to']).toLowerCase() !== mail.to;
}

/** A node learns of a pause within so long. */
const pauseWithinMs = 8_000;

/** What happens while a webhook is certainly paused is never delivered to it. */
function checkPauses({ history: { entries, hooks }, rows }: Evidence): ReturnType<typeof some> {
  const pauses = entries
    .filter(({ kind, outcome }) => kind === 'pause webhook' && outcome === 'acknowledged')
    .map(({ began_at, ended_at }) => {
      const resumes = entries.filter(
        (entry) =>
          entry.kind === 'resume webhook' &&
          entry.outcome !== 'refused' &&
          (entry.outcome === 'unanswered' || entry.ended_at > began_at),
      );
      return {
        from: ended_at + pauseWithinMs,
        until: Math.min(Infinity, ...resumes.map((entry) => entry.began_at)),
      };
    });
  const isPaused = (at: number): boolean => pauses.some(({ from, until }) => at > from && at < until);
  const events = new Map(rows.events.map(({ event_id, at }) => [`msg_${event_id}`, at]));
  const wrong = hooks.filter(({ hook, id }) => hook === 'moody' && isPaused(events.get(id) ?? 0));
  return some(
    'webhooks',
    'events of a pause that were delivered',
    wrong.map(({ id }) => id),
  );
}
