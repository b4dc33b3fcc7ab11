import type { Queryable } from '../base/db/database.ts';
import { createConsentLookup } from '../consent/index.ts';
import type { MailFacts } from './read-mail.ts';

/** What the recipient's consent says now, which may be more than it said when the mail was dropped. */
export interface ConsentFacts {
  verdict: 'allow' | 'deny' | 'none';
  purpose: string;
  term: string | null;
  at: Date | null;
}

const names = `
  select p.name as purpose, (select t.name from consent_terms t where t.id = $3 and t.instance_id = $1) as term
  from consent_purposes p where p.id = $2 and p.instance_id = $1`;

/** Null where the sender no longer asks for consent. */
export async function readConsent(
  db: Queryable,
  instanceId: number,
  { consent_purpose_id: purpose_id, recipient }: MailFacts,
): Promise<ConsentFacts | null> {
  if (purpose_id === null) return null;
  const [verdict] = await createConsentLookup(db)({
    instance_id: instanceId,
    channel: 'mail',
    purpose_id,
    contacts: [{ contact_type: 'email_address', contact: recipient }],
  });
  const values = [instanceId, purpose_id, verdict?.term_id ?? null];
  const [named] = await db.query<{ purpose: string; term: string | null }>(names, values);
  if (!verdict || !named) return null;
  return { verdict: verdict.verdict, at: verdict.decided_at, ...named };
}
