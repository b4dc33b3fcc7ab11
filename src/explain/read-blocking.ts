import type { Queryable } from '../base/db/database.ts';
import type { MailFacts } from './read-mail.ts';

/** Since when the recipient is blocked at their own request; null once it was lifted. */
export async function readBlockedSince(
  db: Queryable,
  instanceId: number,
  { recipient }: MailFacts,
): Promise<Date | null> {
  const [row] = await db.query<{ since: Date | null }>(
    `select min(s.since) as since from suppressed_contacts s join rights_requests r on r.id = s.request_id
     where s.instance_id = $1 and s.kind = 'blocked' and r.contacts @> jsonb_build_array(
       jsonb_build_object('contact_type', 'email_address', 'contact', lower($2::text collate "und-x-icu")))`,
    [instanceId, recipient],
  );
  return row?.since ?? null;
}
