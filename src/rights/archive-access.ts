import { randomInt, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '../base/db/database.ts';
import type { Language } from '../base/http/preferred-language.ts';
import { hashToken } from '../base/secrets.ts';

/** How long the link works, from the day the request was fulfilled. */
export const archiveDays = 14;
const codeMinutes = 15;
const maxTries = 5;

export interface MailedArchive {
  id: number;
  instance_id: number;
  instance_name: string;
  to: string;
  language: Language;
  is_expired: boolean;
  has_code: boolean;
}

/** What the link leads to. A person who was erased or blocked meanwhile has none. */
export async function findMailedArchive(
  db: Queryable,
  id: number | undefined,
  now: Date,
): Promise<MailedArchive | undefined> {
  if (id === undefined) return undefined;
  const [row] = await db.query<MailedArchive & Record<string, unknown>>(
    `select r.id, r.instance_id, i.name as instance_name, r.language,
       jsonb_path_query_first(r.contacts, '$[*] ? (@.contact_type == "email_address")') ->> 'contact' as to,
       r.archive_mailed_at < $2::timestamptz - make_interval(days => ${archiveDays}) as is_expired,
       coalesce(r.archive_code_until > $2 and r.archive_code_tries < ${maxTries}, false) as has_code
     from rights_requests r join instances i on i.id = r.instance_id
     where r.id = $1 and r.archive_mailed_at is not null and r.status = 'fulfilled' and r.contacts <> '[]'`,
    [id, now],
  );
  return row;
}

/** A new code; the one before stops working. */
export async function issueCode(tx: Queryable, id: number, now: Date): Promise<string> {
  const code = String(randomInt(100_000_000)).padStart(8, '0');
  await tx.query(
    `update rights_requests set archive_code_hash = $2, archive_code_tries = 0,
       archive_code_until = $3::timestamptz + make_interval(mins => ${codeMinutes}) where id = $1`,
    [id, hashToken(`${id} ${code}`), now],
  );
  return code;
}

/** Whether the code is right, once. Each try counts before it is compared. */
export async function takeCode(
  tx: Queryable,
  id: number,
  { code, now }: { code: string; now: Date },
): Promise<boolean> {
  const [row] = await tx.query<{ hash: Buffer }>(
    `update rights_requests set archive_code_tries = archive_code_tries + 1
     where id = $1 and archive_code_until > $2 and archive_code_tries < ${maxTries} and archive_code_hash is not null
     returning archive_code_hash as hash`,
    [id, now],
  );
  if (!row || !timingSafeEqual(row.hash, hashToken(`${id} ${code}`))) return false;
  await tx.query(
    'update rights_requests set archive_code_hash = null, archive_code_until = null where id = $1',
    [id],
  );
  return true;
}
