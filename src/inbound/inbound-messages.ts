import type { BlockedPersons } from '../base/db/blocked-contacts.ts';
import type { Queryable } from '../base/db/database.ts';
import { boundedText } from '../base/db/storable-text.ts';
import { Problem } from '../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import type { Recognises } from '../base/recognise.ts';
import { findOwnAddresses, type MessageHead, namesPerson } from './person-in-message.ts';

/** An instance, or null for the platform. */
export type MailboxOwner = number | null;

export interface InboundMessage {
  id: number;
  recipient: string;
  /** Null is the empty reverse path. */
  mail_from: string | null;
  header_from: string;
  subject: string;
  remote_ip: string;
  size_bytes: number;
  received_at: Date;
}

export type NewInboundMessage = Omit<InboundMessage, 'id' | 'size_bytes'> & { raw: Buffer };

/** Anyone can write to it, so a mailbox is bounded: 500 messages, truncated. */
const max_messages = 500;
const maxRawBytes = 64 * 1024;

/** Stores a message and removes the oldest beyond the bound. */
export async function storeInboundMessage(
  db: Queryable,
  owner: MailboxOwner,
  message: NewInboundMessage,
): Promise<void> {
  const { raw, received_at } = message;
  // Without the zone of a link-local address.
  const remote_ip = message.remote_ip.replace(/%.*$/, '');
  await db.query(
    `with kept as (
       insert into inbound_messages (instance_id, recipient, mail_from, header_from, subject, remote_ip, size_bytes, raw,
         received_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     )
     delete from inbound_messages where id in (
       select id from inbound_messages where instance_id is not distinct from $1 order by id desc offset ${max_messages - 1})`,
    [
      owner,
      boundedText(message.recipient, 320),
      boundedText(message.mail_from, 320),
      boundedText(message.header_from, 320) ?? '',
      boundedText(message.subject, 500) ?? '',
      remote_ip,
      raw.length,
      raw.subarray(0, maxRawBytes),
      received_at,
    ],
  );
}

const columns = `id, recipient, mail_from, header_from, subject, host(remote_ip) as remote_ip, size_bytes, received_at`;

interface Reading {
  db: Queryable;
  blocked: BlockedPersons;
}

/** Newest first. */
export async function listInboundMessages(
  { db, blocked }: Reading,
  owner: MailboxOwner,
  page: PageRequest,
): Promise<PageOf<InboundMessage>> {
  const hidden = await hiddenMessages({ db, blocked }, owner);
  const source = `from inbound_messages where instance_id is not distinct from $1::bigint and id <> all ($2::bigint[])`;
  return await selectPage<InboundMessage>(
    db,
    { columns, source, order_by: 'id desc', values: [owner, hidden] },
    page,
  );
}

export async function getInboundMessage(
  { db, blocked }: Reading,
  owner: MailboxOwner,
  id: number,
): Promise<InboundMessage & { raw: string }> {
  const [row] = await db.query<InboundMessage & { raw: Buffer }>(
    `select ${columns}, raw from inbound_messages where instance_id is not distinct from $1::bigint and id = $2
       and id <> all ($3::bigint[])`,
    [owner, id, await hiddenMessages({ db, blocked }, owner)],
  );
  if (!row) throw new Problem('inbound_message_not_found');
  return { ...row, raw: row.raw.toString() };
}

/** Messages that name a blocked person. A mailbox has few. */
async function hiddenMessages({ db, blocked }: Reading, owner: MailboxOwner): Promise<number[]> {
  if (owner === null || !(await blocked.isAnybody(owner))) return [];
  const messages = await db.query<MessageHead & { id: number }>(
    `select id, recipient, mail_from, header_from, subject from inbound_messages where instance_id = $1`,
    [owner],
  );
  const own = await findOwnAddresses(db, owner);
  const naming = (recognises: Recognises) =>
    messages.filter((each) => namesPerson(each, { recognises, own }));
  const recognises = await blocked.among(owner, naming);
  return recognises ? naming(recognises).map(({ id }) => id) : [];
}
