import { addressKey } from '../base/db/address-key.ts';
import type { Contact } from '../base/contacts.ts';
import type { ContactHashes } from '../base/contact-hash.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import { findErased } from '../restrictions/index.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import { signingColumns, type SigningWebhook } from './delivery-request.ts';
import { payloadIn, type WebhookFormat } from './formats/format.ts';
import { loadReceivedHeads, type ReceivedHead } from '../received/index.ts';
import { noMailId } from '../announce/index.ts';
import { loadNotices, type NoticeRow, renderNotice } from './notices.ts';
import type { MailEvent } from './payload.ts';

export interface DueDelivery extends ClaimedDelivery {
  webhook: SigningWebhook;
  /** Of received mail it is made when it is posted: it may have files. */
  body: string | ReceivedHead;
  msg_id: string;
  /** About a person and no mail: no erasure finds its log, so what the endpoint answers is not kept. */
  is_about_person: boolean;
}

/** A claimed delivery that is not posted, and why: its event is no longer kept, or the person is blocked (contract §15). */
export interface WithheldDelivery extends ClaimedDelivery {
  reason: 'event_gone' | 'recipient_blocked';
}

const events: Statement = {
  name: 'webhooks.load_events',
  text: `
    select event_id, event, at, reason, data, mail_id, msg_id from events
    where event_id = any ($1::uuid[]) and event_id between $2 and $3`,
};

/** Blocked contacts are read once per instance. */
const mails: Statement = {
  name: 'webhooks.load_mails',
  text: `
    with found as materialized (
      select * from mails where mail_id = any ($1::uuid[]) and mail_id between $2 and $3
    ), blocked as materialized (
      select id, blocked_contacts(id, 'email_address') as contacts from (select distinct instance_id as id from found) as instances
    )
    select m.mail_id, m.recipient as to, m.sender_email as sender, m.subject, m.custom_msg_id, m.custom_group_code,
      coalesce(m.tags, '{}') as tags, m.test_mode, s.stream, c.slug as category, coalesce(${addressKey('m.recipient')} = any (b.contacts), false) as is_blocked
    from found m join blocked b on b.id = m.instance_id left join categories c on c.id = m.category_id
      left join senders s on s.id = m.sender_id`,
};

/** An unsubscribe or complaint may come after the mail's retention; then their own rows have the addresses. */
const expiredMails: Statement = {
  name: 'webhooks.load_remembered_mails',
  text: `
    select mail_id, recipient as to, sender,
      coalesce(${addressKey('recipient')} = any (blocked_contacts(instance_id, 'email_address')), false) as is_blocked
    from (
      select instance_id, mail_id, recipient, sender from unsubscribes where mail_id = any ($1::uuid[])
      union all
      select instance_id, mail_id, recipient, sender from complaints where mail_id = any ($1::uuid[])
    ) as remembered`,
};

const webhooks: Statement = {
  name: 'webhooks.load_webhooks',
  text: `select ${signingColumns} from webhooks where id = any ($1::bigint[])`,
};

type EventRow = Pick<MailEvent, 'event_id' | 'event' | 'at' | 'reason' | 'data' | 'mail_id' | 'msg_id'>;
type MailRow = Omit<MailEvent, Exclude<keyof EventRow, 'mail_id'>> & { is_blocked: boolean };

interface EventBody {
  bodyIn(format: WebhookFormat): string | ReceivedHead;
  msg_id: string;
  to: string | null;
  /** Whether the recipient is blocked at their own request. */
  is_blocked: boolean;
  /** Whom an event that is about no mail is about. */
  person?: { instance_id: number; contacts: Contact[] } | undefined;
}

const noMail = {
  to: null,
  sender: null,
  subject: null,
  custom_msg_id: null,
  custom_group_code: null,
  tags: null,
  category: null,
  test_mode: null,
  stream: null,
};

interface EventKey {
  event_id: string;
  /** Null, or the nil UUID, for what is about no mail. */
  mail_id: string | null;
}

const unique = <T extends string | number>(values: T[]): T[] => [...new Set(values)];

/** The range lets PostgreSQL prune partitions. */
const range = (ids: string[]): unknown[] => [ids, ids[0], ids.at(-1)];

async function loadMails(db: Queryable, mailIds: string[]): Promise<Map<string, MailRow>> {
  const rows = await db.query<MailRow>(mails, range(mailIds));
  const known = new Map(rows.map((row) => [row.mail_id, row]));
  const missing = mailIds.filter((id) => !known.has(id));
  if (missing.length === 0) return known;
  for (const row of await db.query<Pick<MailRow, 'mail_id' | 'to' | 'sender' | 'is_blocked'>>(expiredMails, [
    missing,
  ])) {
    known.set(row.mail_id, { ...noMail, ...row });
  }
  return known;
}

/** In each form at most once, however many webhooks it goes to. */
function renderedOnce(event: MailEvent): EventBody['bodyIn'] {
  const bodies = new Map<WebhookFormat, string>();
  return (format) => {
    const body = bodies.get(format) ?? payloadIn(format, event);
    bodies.set(format, body);
    return body;
  };
}

type Kinds = Partial<Record<'mail' | 'received' | 'notice', EventKey[]>>;

/** Received mail has the identifier of its event. */
function kindOf({ event_id, mail_id }: EventKey): keyof Kinds {
  if (mail_id === event_id) return 'received';
  return mail_id === null || mail_id === noMailId ? 'notice' : 'mail';
}

/** The bodies of these events. */
export async function loadBodies(db: Queryable, keys: EventKey[]): Promise<Map<string, EventBody>> {
  const kinds = Map.groupBy(keys, kindOf);
  const { mail: ofMails = [], received = [], notice = [] } = Object.fromEntries(kinds) as Kinds;
  const [eventRows, byId, notices, heads] = await Promise.all([
    db.query<EventRow>(events, range(unique(ofMails.map(({ event_id }) => event_id)).toSorted())),
    loadMails(db, unique(ofMails.map(({ mail_id }) => mail_id ?? '')).toSorted()),
    loadNotices(db, unique(notice.map(({ event_id }) => event_id))),
    loadReceivedHeads(db, unique(received.map(({ event_id }) => event_id))),
  ]);
  return new Map([
    ...heads.map((head): [string, EventBody] => [
      head.id,
      { bodyIn: () => head, msg_id: head.id, to: head.recipient, is_blocked: head.is_blocked },
    ]),
    ...notices.map((each): [string, EventBody] => [each.event_id, bodyOf(each)]),
    ...eventRows.map((event): [string, EventBody] => {
      const { is_blocked = false, ...mail } = byId.get(event.mail_id) ?? {};
      const whole = { ...noMail, ...mail, ...event };
      const { msg_id, to } = whole;
      return [event.event_id, { bodyIn: renderedOnce(whole), msg_id, to, is_blocked }];
    }),
  ]);
}

function bodyOf(notice: NoticeRow): EventBody {
  const { event_id, instance_id, person } = notice;
  return {
    bodyIn: () => renderNotice(notice),
    msg_id: event_id,
    to: null,
    is_blocked: person?.is_blocked ?? false,
    person: person && { instance_id, contacts: person.contacts },
  };
}

interface LoadedDeliveries {
  due: DueDelivery[];
  withheld: WithheldDelivery[];
}

/** Loads what the attempts of a claim need. Deliveries of webhooks that were just deleted are left out. */
export async function loadDeliveries(
  db: Queryable,
  claimed: ClaimedDelivery[],
  hashes: ContactHashes,
): Promise<LoadedDeliveries> {
  const [bodies, rows] = await Promise.all([
    loadBodies(db, claimed),
    db.query<SigningWebhook & Record<string, unknown>>(webhooks, [
      unique(claimed.map(({ webhook_id }) => webhook_id)),
    ]),
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const loaded: LoadedDeliveries = { due: [], withheld: [] };
  for (const delivery of claimed) {
    const webhook = byId.get(delivery.webhook_id);
    const event = bodies.get(delivery.event_id);
    if (!webhook) continue;
    if (!event || (await isErased(db, event, hashes))) {
      loaded.withheld.push({ ...delivery, reason: 'event_gone' });
    } else if (event.is_blocked) loaded.withheld.push({ ...delivery, reason: 'recipient_blocked' });
    else loaded.due.push({ ...delivery, webhook, ...postedOf(event, webhook.format) });
  }
  return loaded;
}

function postedOf(
  event: EventBody,
  format: WebhookFormat,
): Pick<DueDelivery, 'body' | 'msg_id' | 'is_about_person'> {
  const { msg_id, person } = event;
  return { body: event.bodyIn(format), msg_id, is_about_person: person !== undefined };
}

/** Also of what a program recorded about the person after their erasure. */
async function isErased(db: Queryable, { person }: EventBody, hashes: ContactHashes): Promise<boolean> {
  if (!person || person.contacts.length === 0) return false;
  const { instance_id, contacts } = person;
  const found = await findErased(
    db,
    instance_id,
    contacts.map((contact) => hashes.of(instance_id, contact)),
  );
  return found.length > 0;
}
