import type { Queryable } from '../../base/db/database.ts';
import { createConsentLookup } from '../../consent/index.ts';
import type { ShownMail } from './shown-mail.ts';

export interface OtherPurpose {
  id: number;
  name: string;
}

/** A page lists no more. */
const mostPurposes = 100;

/** What else the recipient of a broadcast agreed to over mail, and has not withdrawn. */
export async function findOtherPurposes(
  db: Queryable,
  { instance_id, recipient, purpose }: ShownMail,
): Promise<OtherPurpose[]> {
  if (!purpose) return [];
  const purposes = await db.query<OtherPurpose & Record<string, unknown>>(
    `select id, name from consent_purposes where instance_id = $1 and id <> $2 order by id limit ${mostPurposes}`,
    [instance_id, purpose.id],
  );
  const lookUp = createConsentLookup(db);
  const contacts = [{ contact_type: 'email_address' as const, contact: recipient }];
  const verdicts = await Promise.all(
    purposes.map(async ({ id }) => await lookUp({ instance_id, channel: 'mail', purpose_id: id, contacts })),
  );
  return purposes.filter((_, index) => verdicts[index]?.[0]?.verdict === 'allow');
}
