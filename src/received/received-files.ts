import { Readable } from 'node:stream';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { Download } from '../base/http/operation.ts';
import { decodePieces, type TransferEncoding } from '../protocol/mime/transfer-chunks.ts';
import type { LinkedFile } from './received-links.ts';
import { nobodyBlocked, requireReceivedId } from './received-mails.ts';

/** Read from the database at a time: a file of 25 MB is never in memory whole. */
const pieceBytes = 512 * 1024;

interface Range {
  source_id: string;
  starts_at: number;
  encoded_bytes: number;
}

async function* piecesOf(
  db: Queryable,
  { source_id, starts_at, encoded_bytes }: Range,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < encoded_bytes; at += pieceBytes) {
    const length = Math.min(pieceBytes, encoded_bytes - at);
    const [row] = await db.query<{ piece: Buffer }>(
      'select substring(raw from $2::integer for $3::integer) as piece from received_sources where id = $1',
      [source_id, starts_at + at + 1, length],
    );
    if (!row) throw new Error('The source was deleted while it was read.');
    yield row.piece;
  }
}

/** The source of a mail, or one of its attachments, as it is read. */
export async function openReceivedFile(
  db: Queryable,
  instanceId: number,
  { id, n }: LinkedFile,
): Promise<Download> {
  return n === 'raw' ? await openSource(db, instanceId, id) : await openAttachment(db, instanceId, { id, n });
}

async function openSource(db: Queryable, instanceId: number, id: string): Promise<Download> {
  const [mail] = await db.query<{ source_id: string; size_bytes: number }>(
    `select m.source_id, m.size_bytes from received_mails m where m.instance_id = $1 and m.id = $2 and ${nobodyBlocked('$1')}`,
    [instanceId, requireReceivedId(id)],
  );
  if (!mail) throw new Problem('received_mail_not_found');
  const range = { source_id: mail.source_id, starts_at: 0, encoded_bytes: mail.size_bytes };
  return new Download({
    content_type: 'message/rfc822',
    file_name: `${id}.eml`,
    open: async () => await Promise.resolve(Readable.from(piecesOf(db, range), { objectMode: false })),
  });
}

interface FileRow extends Range {
  filename: string | null;
  encoding: TransferEncoding;
}

/** Always as octets: what strangers call HTML is not shown by a browser. */
async function openAttachment(
  db: Queryable,
  instanceId: number,
  { id, n }: { id: string; n: number },
): Promise<Download> {
  const [file] = await db.query<FileRow & Record<string, unknown>>(
    `select m.source_id, a.starts_at, a.encoded_bytes, a.encoding, a.filename
     from received_mails m join received_attachments a on a.received_mail_id = m.id and a.n = $3::bigint
     where m.instance_id = $1 and m.id = $2 and ${nobodyBlocked('$1')}`,
    [instanceId, requireReceivedId(id), n],
  );
  if (!file) throw new Problem('attachment_not_found');
  return new Download({
    content_type: 'application/octet-stream',
    file_name: safeName(file.filename, n),
    open: async () =>
      await Promise.resolve(
        Readable.from(decodePieces(file.encoding, piecesOf(db, file)), { objectMode: false }),
      ),
  });
}

/** Of a file that a stranger named: it stands in a header, and on the disk of who saves it. */
function safeName(name: string | null, n: number): string {
  const plain = (name ?? '')
    .normalize('NFKD')
    .replaceAll(/[^\w.-]+/g, '_')
    .replaceAll(/^[._]+|[._]+$/g, '');
  return plain.slice(-100) || `attachment-${n}`;
}

/** The instance that a linked file is of. */
export async function instanceOfFile(db: Queryable, id: string): Promise<number> {
  const [row] = await db.query<{ instance_id: number }>(
    'select instance_id from received_mails where id = $1',
    [id],
  );
  if (!row) throw new Problem('received_mail_not_found');
  return row.instance_id;
}
