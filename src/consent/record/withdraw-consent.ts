import type { Queryable } from '../../base/db/database.ts';
import { lockChain } from '../chain/chain.ts';
import { canonicalContact } from './contacts.ts';
import type { Evidence } from './event-content.ts';
import type { ConsentEvent, ConsentRule } from './event-schemas.ts';
import { recordConsentEvent } from './record-event.ts';

interface ContactOfPurpose {
  instance_id: number;
  /** A mail address, in any spelling. */
  contact: string;
  purpose_id: number;
  at: Date;
  /** What is known of the request by which they did it. */
  evidence?: Evidence;
}

/**
 * Who unsubscribes takes back what they had allowed, under every term they had allowed it under. Gives what was
 * recorded; somebody who had allowed nothing has nothing to take back.
 */
export async function withdrawForUnsubscribe(tx: Queryable, who: ContactOfPurpose): Promise<ConsentEvent[]> {
  return await turnAround(tx, who, { only: `r.action = 'allow'`, action: 'deny' });
}

/** Who subscribes again gives back what unsubscribing took; what they had refused otherwise stays refused. */
export async function restoreAfterResubscribe(tx: Queryable, who: ContactOfPurpose): Promise<ConsentEvent[]> {
  return await turnAround(tx, who, { only: `r.action = 'deny' and r.source = 'system'`, action: 'allow' });
}

interface StandingRule {
  term_id: number;
  term_version_id: number;
}

/** Of each term the newest confirmed rule for the contact, if it is one that turns around. */
const standing = (only: string): string => `
  select r.term_id, r.term_version_id
  from (
    select distinct on (r.term_id) r.term_id, r.action, e.term_version_id, e.source
    from consent_rules r
    join consent_events e on e.id = r.event_id
    left join consent_event_outcomes o on o.event_id = r.event_id
    where r.instance_id = $1 and r.contact = $2 and r.purpose_id = $3 and r.channel = 'mail'
      and r.contact_type = 'email_address' and (r.is_confirmed or o.status = 'confirmed')
    order by r.term_id, r.id desc
  ) r
  where ${only} order by r.term_id`;

/**
 * The version is the one of the rule that is turned around: what is withdrawn is what had been accepted, and nobody is
 * put down as having agreed to a text they were not shown.
 */
async function turnAround(
  tx: Queryable,
  { instance_id, purpose_id, at, evidence, ...who }: ContactOfPurpose,
  { only, action }: { only: string; action: ConsentRule['action'] },
): Promise<ConsentEvent[]> {
  const contact = canonicalContact({ contact_type: 'email_address', contact: who.contact });
  const find = async (): Promise<StandingRule[]> =>
    await tx.query<StandingRule & Record<string, unknown>>(standing(only), [
      instance_id,
      contact,
      purpose_id,
    ]);
  // Most have nothing on record and need no lock. Under it the answer is final: two clicks withdraw once.
  if ((await find()).length === 0) return [];
  await lockChain(tx, instance_id);
  const recorded: ConsentEvent[] = [];
  for (const { term_id, term_version_id } of await find()) {
    const event = await recordConsentEvent(tx, instance_id, {
      term_id,
      term_version_id,
      status: 'confirmed',
      method: 'single_opt_in',
      source: 'system',
      evidence: { actor: 'system', ...evidence },
      at,
      rules: [{ channel: 'mail', contact_type: 'email_address', contact, purpose_id, action }],
    });
    recorded.push(event);
  }
  return recorded;
}
