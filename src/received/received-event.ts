import type { Queryable } from '../base/db/database.ts';
import { decodeTransfer, type TransferEncoding } from '../protocol/mime/transfer-chunks.ts';
import type { ReceivedMail } from './received-mail-schemas.ts';
import { getReceivedMail, type LinkMaker, nobodyBlocked } from './received-mails.ts';

/** What a delivery of the event needs to know before its body is made. */
export interface ReceivedHead {
  id: string;
  instance_id: number;
  recipient: string;
  size_bytes: number;
  /** Whether somebody whom it names is blocked at their own request. */
  is_blocked: boolean;
}

export async function loadReceivedHeads(db: Queryable, ids: string[]): Promise<ReceivedHead[]> {
  if (ids.length === 0) return [];
  return await db.query<ReceivedHead & Record<string, unknown>>(
    `select m.id, m.instance_id, m.recipient, m.size_bytes, not ${nobodyBlocked('m.instance_id')} as is_blocked
     from received_mails m where m.id = any ($1::uuid[])`,
    [ids],
  );
}

/** A mail as its event tells it: with the files that fit into the event. */
export type ReceivedEvent = Omit<ReceivedMail, 'attachments'> & {
  attachments: (ReceivedMail['attachments'][number] & { content: string | null })[];
};

/** Of all attachments of one event, decoded. */
export const maxInlineBytes = 1024 * 1024;

export async function loadReceivedEvent(
  db: Queryable,
  instanceId: number,
  wanted: LinkMaker & { id: string },
): Promise<ReceivedEvent> {
  const { attachments, ...mail } = await getReceivedMail(db, instanceId, wanted);
  const isWhole = attachments.reduce((sum, { size_bytes }) => sum + size_bytes, 0) <= maxInlineBytes;
  const contents =
    isWhole && attachments.length > 0 ? await loadContents(db, wanted.id) : new Map<number, string>();
  return {
    ...mail,
    attachments: attachments.map((file) => ({ ...file, content: contents.get(file.n) ?? null })),
  };
}

/** In base64, by the numbers of the files. */
async function loadContents(db: Queryable, id: string): Promise<Map<number, string>> {
  const rows = await db.query<{ n: number; encoding: TransferEncoding; piece: Buffer }>(
    `select a.n, a.encoding, substring(s.raw from a.starts_at + 1 for a.encoded_bytes) as piece
     from received_mails m join received_sources s on s.id = m.source_id
       join received_attachments a on a.received_mail_id = m.id
     where m.id = $1 and a.encoded_bytes <= 4 * ${maxInlineBytes}`,
    [id],
  );
  return new Map(
    rows.map(({ n, encoding, piece }) => [n, decodeTransfer(encoding, piece).toString('base64')]),
  );
}
