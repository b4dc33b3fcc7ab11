import { addressKey } from '../../base/db/address-key.ts';
import { columnsOf } from '../../base/db/columns.ts';
import type { Queryable } from '../../base/db/database.ts';
import type { ContactHashes } from '../../base/contact-hash.ts';
import { createSuppressionLookup } from '../../restrictions/index.ts';
import type { Refusal } from './import-schemas.ts';
import type { ContactLine } from './read-lines.ts';

/** Why contacts may not be imported, whatever the consent under their term: by address. */
export async function findRefused(
  db: Queryable,
  instanceId: number,
  { lines, hashes }: { lines: ContactLine[]; hashes: ContactHashes },
): Promise<Map<string, Refusal['reason']>> {
  const refused = new Map<string, Refusal['reason']>(
    (await findWithdrawn(db, instanceId, lines)).map((email) => [email, 'withdrew']),
  );
  const lookUp = createSuppressionLookup(db, hashes);
  const addresses = lines.map(({ email }) => email);
  for (const [email, { is_blocked, erased }] of await lookUp({ instance_id: instanceId, addresses })) {
    if (erased === 'gone') refused.set(email, 'erased');
    if (is_blocked) refused.set(email, 'blocked');
  }
  return refused;
}

/** Those who unsubscribed or complained after the consent in the file. */
async function findWithdrawn(db: Queryable, instanceId: number, lines: ContactLine[]): Promise<string[]> {
  const given = lines.map(({ email, consented_at }) => ({ email, at: consented_at.toISOString() }));
  const rows = await db.query<{ email: string }>(
    `select given.email from unnest($2::text[], $3::timestamptz[]) as given (email, at)
     where exists (
       select from unsubscribes u where u.instance_id = $1 and u.recipient_key = ${addressKey('given.email')}
         and u.resubscribed_at is null and u.unsubscribed_at >= given.at
     ) or exists (
       select from restrictions r where r.instance_id = $1 and r.recipient_key = ${addressKey('given.email')}
         and r.reason = 'complaint' and r.created_at >= given.at
     )`,
    [instanceId, ...columnsOf(given, ['email', 'at'])],
  );
  return rows.map(({ email }) => email);
}
