import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import {
  loadReceivedEvent,
  type LinkMaker,
  type ReceivedEvent,
  receivedMailExample,
} from '../received/index.ts';
import { formatsOfEvent, type WebhookFormat } from './formats/format.ts';
import { postmarkReceived } from './formats/postmark-received.ts';
import { resendReceived } from './formats/resend-received.ts';

/** A mail that was read for the first time. Its identifier is the identifier of its event too. */
export interface ReceivedArrival {
  id: string;
  instance_id: number;
  received_at: Date;
}

/** Tells webhooks of received mail, in the transaction that records what was read. */
export async function announceReceived(tx: Queryable, mails: ReceivedArrival[], now: Date): Promise<void> {
  if (mails.length === 0) return;
  await tx.query(
    `insert into webhook_deliveries (webhook_id, instance_id, event_id, mail_id, type, event_at, created_at, due_at)
     select w.id, m.instance_id, m.id, m.id, 'mail.received', m.received_at, $4, $4
     from unnest($1::uuid[], $2::bigint[], $3::timestamptz[]) as m (id, instance_id, received_at)
     join webhooks w on w.instance_id = m.instance_id
     where w.is_active and w.format = any ($5::text[]) and (w.events is null or 'mail.received' = any (w.events))
     order by m.id`,
    [
      mails.map(({ id }) => id),
      mails.map(({ instance_id }) => instance_id),
      mails.map(({ received_at }) => received_at.toISOString()),
      now,
      formatsOfEvent('mail.received'),
    ],
  );
  await tx.query("select pg_notify('chasqui_webhooks', '')");
}

export function renderReceived(format: WebhookFormat, mail: ReceivedEvent): string {
  if (format === 'postmark') return JSON.stringify(postmarkReceived(mail));
  if (format === 'resend') return JSON.stringify(resendReceived(mail));
  const timestamp = mail.received_at.toISOString();
  return JSON.stringify({ type: 'mail.received', timestamp, data: { mail_id: null, ...mail } });
}

/** For tests of a webhook. */
export function exampleReceived(id: string, now: Date): ReceivedEvent {
  return {
    ...(receivedMailExample as unknown as ReceivedEvent),
    id,
    received_at: now,
    sent_at: now,
    attachments: [],
  };
}

interface ReceivedBody extends LinkMaker {
  id: string;
  instance_id: number;
  format: WebhookFormat;
}

/** The body of a delivery; undefined when the mail is gone, or somebody whom it names is blocked meanwhile. */
export async function receivedBody(
  db: Queryable,
  { id, instance_id, format, ...making }: ReceivedBody,
): Promise<string | undefined> {
  try {
    const mail = await loadReceivedEvent(db, instance_id, { id, ...making });
    return renderReceived(format, mail);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
