import { addressKey } from '../base/db/address-key.ts';
import { notBlocked } from '../base/db/blocked-contacts.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { type StatusName, statusNameSql } from '../mails/index.ts';
import { type Reader, readableMessages } from './readable-messages.ts';
import { parseMessage, type MessageParts } from '../protocol/mime/parse-message.ts';

export interface SandboxMessage {
  mail_id: string;
  recipient: string;
  /** Null when the mail itself is past its retention. */
  msg_id: string | null;
  sender: string | null;
  subject: string | null;
  status: number | null;
  status_name: StatusName | null;
  size_bytes: number;
  captured_at: Date;
  is_read: boolean;
  /** Of what the platform wrote and could not send. */
  platform_kind: string | null;
}

export interface SandboxMessageDetail extends SandboxMessage, MessageParts {
  raw: string;
}

// Scalar subqueries: they run for the rows of the page only, not for those that are counted.
const mail = (column: string): string => `(select m.${column} from mails m where m.mail_id = s.mail_id)`;
const columns = `s.mail_id, s.recipient, ${mail('msg_id')} as msg_id, ${mail('sender_email')} as sender,
  ${mail('subject')} as subject, ${mail('status')} as status, ${statusNameSql(mail('status'))} as status_name, octet_length(s.raw) as size_bytes, s.captured_at,
  s.read_at is not null as is_read, s.platform_kind`;

export interface SandboxFilters {
  recipient?: string | null | undefined;
  /** Part of recipient, sender or subject. */
  search?: string | null | undefined;
  is_read?: boolean | null | undefined;
  /** Absent for an operator. */
  reader?: Reader | undefined;
}

/** Newest first. */
export async function listSandboxMessages(
  db: Queryable,
  instanceId: number,
  { recipient, search, is_read, reader, ...page }: PageRequest & SandboxFilters,
): Promise<PageOf<SandboxMessage>> {
  const conditions = readableMessages(instanceId, reader)
    .where(notBlocked(addressKey('s.recipient')), instanceId)
    .where('(s.read_at is not null) = ?', is_read)
    .contains('s.recipient', recipient)
    .contains(
      `(s.recipient || ' ' || coalesce(${mail('subject')}, '') || ' ' || coalesce(${mail('sender_email')}, ''))`,
      search,
    );
  return await selectPage<SandboxMessage>(
    db,
    {
      columns,
      source: `from sandbox_messages s where ${conditions.sql()}`,
      order_by: 's.mail_id desc',
      values: conditions.values,
    },
    page,
  );
}

/** One captured message, parsed as a mail client would. */
export async function getSandboxMessage(
  db: Queryable,
  instanceId: number,
  { mail_id, reader }: { mail_id: string; reader: Reader },
): Promise<SandboxMessageDetail> {
  const row = await findReadable(db, instanceId, { mail_id, reader });
  return { ...row, ...parseMessage(row.raw), raw: row.raw.toString() };
}

/** As it was captured, octet by octet. */
export async function getSandboxSource(
  db: Queryable,
  instanceId: number,
  wanted: { mail_id: string; reader: Reader },
): Promise<Buffer> {
  return (await findReadable(db, instanceId, wanted)).raw;
}

async function findReadable(
  db: Queryable,
  instanceId: number,
  { mail_id, reader }: { mail_id: string; reader: Reader },
): Promise<SandboxMessage & { raw: Buffer }> {
  const conditions = readableMessages(instanceId, reader)
    .where('s.mail_id = ?', mail_id)
    .where(notBlocked(addressKey('s.recipient')), instanceId);
  const [row] = await db.query<SandboxMessage & { raw: Buffer }>(
    `select ${columns}, s.raw from sandbox_messages s where ${conditions.sql()}`,
    conditions.values,
  );
  if (!row) throw new Problem('mail_not_found');
  return row;
}

/** Of one call: the newest. */
const maxMarked = 5_000;

/** Those with these ids, or all that nobody opened; ids of other instances are ignored. */
export async function markSandboxRead(
  db: Queryable,
  instanceId: number,
  { mail_ids, now, reader }: { mail_ids: string[] | undefined; now: Date; reader: Reader },
): Promise<void> {
  const conditions = readableMessages(instanceId, reader)
    .always('s.read_at is null')
    .where('s.mail_id = any (?::uuid[])', mail_ids);
  const [at, limit] = [conditions.value(now), conditions.value(maxMarked)];
  await db.query(
    `update sandbox_messages set read_at = ${at} where mail_id in (
       select s.mail_id from sandbox_messages s where ${conditions.sql()} order by s.mail_id desc limit ${limit})`,
    conditions.values,
  );
}

/** Of one call; the rest is for the next. */
const maxDeleted = 5_000;

/** Removes what was captured; the mails and their log stay. Of one mail, or of all that the caller may read. */
export async function deleteSandboxMessages(
  tx: Queryable,
  instanceId: number,
  { mail_id, reader, actor }: { mail_id?: string; reader: Reader; actor: Actor },
): Promise<{ deleted: number; has_more: boolean }> {
  const conditions = readableMessages(instanceId, reader).where('s.mail_id = ?', mail_id);
  const limit = conditions.value(maxDeleted);
  const rows = await tx.query(
    `delete from sandbox_messages where mail_id in (
       select s.mail_id from sandbox_messages s where ${conditions.sql()} order by s.mail_id desc limit ${limit}
     ) returning 1`,
    conditions.values,
  );
  if (mail_id !== undefined && rows.length === 0) throw new Problem('mail_not_found');
  await recordAudit(tx, {
    instance_id: instanceId,
    actor,
    action: 'sandbox_messages.deleted',
    object: { kind: 'sandbox_message', id: mail_id },
    details: { deleted: rows.length },
  });
  return { deleted: rows.length, has_more: rows.length === maxDeleted };
}

/** A captured message of any instance, as it would have been sent. For operators. */
export async function getCapturedSource(
  db: Queryable,
  mailId: string,
): Promise<{ mail_id: string; recipient: string; captured_at: Date; raw: string }> {
  const isId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(mailId);
  const [row] = isId
    ? await db.query<{ mail_id: string; recipient: string; captured_at: Date; raw: Buffer }>(
        'select mail_id, recipient, captured_at, raw from sandbox_messages where mail_id = $1',
        [mailId],
      )
    : [];
  if (!row) throw new Problem('mail_not_found', { detail: `The sandbox has no mail '${mailId}'.` });
  return { ...row, raw: row.raw.toString() };
}
