import type { History, MailReceipt } from '../history.ts';
import type { Person } from '../plan/people.ts';
import type { SenderKind } from '../plan/planned.ts';
import { sendsOf } from './sends.ts';

/**
 * What the checker judges by: what was asked, answered and received, and the rows of the database. It reads them with SQL
 * of its own and uses nothing of the service, whose answers it would otherwise only repeat.
 */
export interface Evidence {
  history: History;
  people: Person[];
  /** Addresses of senders by their kind, identifiers of webhooks by their names. */
  senders: Record<SenderKind, string>;
  hooks: Record<string, number>;
  rows: Rows;
  query: Query;
}

export type Query = <T>(sql: string, values?: unknown[]) => Promise<T[]>;

/** Something that must never be. */
export interface Violation {
  invariant: string;
  what: string;
}

export type Check = (evidence: Evidence) => Violation[] | Promise<Violation[]>;

export interface MailRow {
  mail_id: string;
  msg_id: string;
  to: string;
  status: number;
  custom_msg_id: string | null;
  /** The send it comes from; of an erased message only its acknowledgement tells. */
  send: string | undefined;
  sender: string;
  source: 'http' | 'smtp' | 'form';
  rcpt_count: number;
  opens: number;
  clicks: number;
  received_at: number;
  sent_at: number | null;
  schedule_at: number | null;
}

export interface EventRow {
  event_id: string;
  mail_id: string;
  event: string;
  at: number;
  status: number | null;
  reason: string | null;
  attempt: number | null;
  visits: number;
}

export interface QueueRow {
  mail_id: string;
  /** From now, by the database's clock. */
  due_in_ms: number;
  is_leased: boolean;
  is_held: boolean;
}

export interface Rows {
  mails: MailRow[];
  events: EventRow[];
  queue: Map<string, QueueRow>;
}

export const erasedAddress = 'erased@erased.invalid';

/** Status codes of mail. */
export const status = { queued: 2, sent: 3, dropped: 4, deferred: 5, bounced: 6, held: 7 } as const;

const mails = `
  select m.mail_id, m.msg_id, lower(m.recipient) as "to", m.status, m.custom_msg_id, m.sender_email as sender,
    g.source, g.rcpt_count, m.opens, m.clicks, extract(epoch from m.received_at)::float8 * 1000 as received_at,
    extract(epoch from m.sent_at)::float8 * 1000 as sent_at,
    extract(epoch from m.schedule_at)::float8 * 1000 as schedule_at
  from mails m left join messages g on g.msg_id = m.msg_id
  where not exists (select from instances i where i.id = m.instance_id and i.is_platform)
  order by m.mail_id`;
const events = `
  select event_id, mail_id, event, extract(epoch from at)::float8 * 1000 as at, status, reason,
    (data ->> 'attempt')::int as attempt, visits
  from events order by event_id`;
const queue = `
  select mail_id, extract(epoch from due_at - now())::float8 * 1000 as due_in_ms, lease is not null as is_leased,
    held_since is not null as is_held
  from queue`;

export async function readRows(query: Query, history: History): Promise<Rows> {
  const acknowledged = new Map(
    sendsOf(history).flatMap(({ id, message_ids }) => message_ids.map((message_id) => [message_id, id])),
  );
  const rows = await query<MailRow>(mails);
  return {
    mails: rows.map((mail) => ({ ...mail, send: mail.custom_msg_id ?? acknowledged.get(mail.msg_id) })),
    events: await query<EventRow>(events),
    queue: new Map((await query<QueueRow>(queue)).map((row) => [row.mail_id, row])),
  };
}

/** Whole messages that a server took, by subject and recipient. */
export function copiesByMail({ mails: receipts }: History): Map<string, MailReceipt[]> {
  return Map.groupBy(
    receipts.filter(({ code }) => code === 250 || code === 0),
    ({ subject, to }) => `${subject} ${to}`,
  );
}

/** Of a mail, as its copies are named. */
export function nameOf({ send, to }: Pick<MailRow, 'send' | 'to'>): string {
  return `${send} ${to}`;
}

/** At most a few of them by name. */
export function some(invariant: string, what: string, which: string[]): Violation[] {
  if (which.length === 0) return [];
  const named = `${which.slice(0, 5).join(', ')}${which.length > 5 ? ', …' : ''}`;
  return [{ invariant, what: `${which.length} ${what}: ${named}` }];
}
