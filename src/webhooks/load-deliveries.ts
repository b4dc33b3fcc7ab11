import type { Queryable, Statement } from '../base/db/database.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import type { SigningWebhook } from './delivery-request.ts';
import { renderPayload, type MailEvent } from './payload.ts';

export interface DueDelivery extends ClaimedDelivery {
  webhook: SigningWebhook;
  /** Undefined when the event is no longer kept. */
  body: string | undefined;
  msg_id: string | undefined;
}

const events: Statement = {
  name: 'webhooks.load_events',
  text: `
    select event_id, event, at, reason, data, mail_id, msg_id from events
    where event_id = any ($1::uuid[]) and event_id between $2 and $3`,
};

const mails: Statement = {
  name: 'webhooks.load_mails',
  text: `
    select m.mail_id, m.recipient as to, m.sender_email as sender, m.subject, m.custom_msg_id, m.custom_group_code,
      m.test_mode, c.slug as category
    from mails m left join categories c on c.id = m.category_id
    where m.mail_id = any ($1::uuid[]) and m.mail_id between $2 and $3`,
};

/** An unsubscribe or complaint may come after the mail's retention; then their own rows have the addresses. */
const expiredMails: Statement = {
  name: 'webhooks.load_remembered_mails',
  text: `
    select mail_id, recipient as to, sender from unsubscribes where mail_id = any ($1::uuid[])
    union all
    select mail_id, recipient, sender from complaints where mail_id = any ($1::uuid[])`,
};

const webhooks: Statement = {
  name: 'webhooks.load_webhooks',
  text: `
    select id, url, secret, previous_secret, previous_secret_expires_at from webhooks
    where id = any ($1::bigint[])`,
};

type EventRow = Pick<MailEvent, 'event_id' | 'event' | 'at' | 'reason' | 'data' | 'mail_id' | 'msg_id'>;
type MailRow = Omit<MailEvent, Exclude<keyof EventRow, 'mail_id'>>;

const no_mail = {
  to: null,
  sender: null,
  subject: null,
  custom_msg_id: null,
  custom_group_code: null,
  category: null,
  test_mode: null,
};

interface EventKey {
  event_id: string;
  mail_id: string;
}

const unique = <T extends string | number>(values: T[]): T[] => [...new Set(values)];

/** The range lets PostgreSQL prune partitions. */
const range = (ids: string[]): unknown[] => [ids, ids[0], ids.at(-1)];

async function loadMails(db: Queryable, mailIds: string[]): Promise<Map<string, MailRow>> {
  const rows = await db.query<MailRow>(mails, range(mailIds));
  const known = new Map(rows.map((row) => [row.mail_id, row]));
  const missing = mailIds.filter((id) => !known.has(id));
  if (missing.length === 0) return known;
  for (const row of await db.query<Pick<MailRow, 'mail_id' | 'to' | 'sender'>>(expiredMails, [missing])) {
    known.set(row.mail_id, { ...no_mail, ...row });
  }
  return known;
}

/** The bodies of these events; each is rendered once, however many webhooks it goes to. */
export async function loadBodies(
  db: Queryable,
  keys: EventKey[],
): Promise<Map<string, { body: string; msg_id: string }>> {
  const [eventRows, byId] = await Promise.all([
    db.query<EventRow>(events, range(unique(keys.map(({ event_id }) => event_id)).toSorted())),
    loadMails(db, unique(keys.map(({ mail_id }) => mail_id)).toSorted()),
  ]);
  return new Map(
    eventRows.map((event) => [
      event.event_id,
      {
        body: renderPayload({ ...no_mail, ...byId.get(event.mail_id), ...event }),
        msg_id: event.msg_id,
      },
    ]),
  );
}

/** Loads what the attempts of a claim need. Deliveries of webhooks that were just deleted are left out. */
export async function loadDeliveries(db: Queryable, claimed: ClaimedDelivery[]): Promise<DueDelivery[]> {
  const [bodies, rows] = await Promise.all([
    loadBodies(db, claimed),
    db.query<SigningWebhook & Record<string, unknown>>(webhooks, [
      unique(claimed.map(({ webhook_id }) => webhook_id)),
    ]),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return claimed.flatMap((delivery) => {
    const webhook = byId.get(delivery.webhook_id);
    const { body, msg_id } = bodies.get(delivery.event_id) ?? {};
    return webhook ? [{ ...delivery, webhook, body, msg_id }] : [];
  });
}
