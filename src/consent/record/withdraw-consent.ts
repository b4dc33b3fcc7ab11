import type { Queryable } from '../../base/db/database.ts';
import { lockChain } from '../chain/chain.ts';
import { canonicalContact } from '../../base/contacts.ts';
import { unsealed } from './event-filters.ts';
import type { Evidence } from './event-content.ts';
import type { ConsentEvent, ConsentRule } from './event-schemas.ts';
import { recordConsentEvent } from './record-event.ts';

interface ContactOfPurpose {
  instance_id: number;
  /** An email address in any spelling. */
  contact: string;
  purpose_id: number;
  at: Date;
  evidence?: Evidence;
}

/**
 * An unsubscribe withdraws every standing consent of the contact, term by term. Returns the recorded events, none if
 * nothing was allowed.
 */
export async function withdrawForUnsubscribe(
  tx: Queryable,
  holder: ContactOfPurpose,
): Promise<ConsentEvent[]> {
  return await reverseRules(tx, holder, { only: `r.action = 'allow'`, action: 'deny' });
}

/** A resubscribe restores what the unsubscribe withdrew; other denials stay. An opposition has its request as the reason. */
export async function restoreAfterResubscribe(
  tx: Queryable,
  holder: ContactOfPurpose,
): Promise<ConsentEvent[]> {
  return await reverseRules(tx, holder, {
    only: `r.action = 'deny' and r.source = 'system' and r.reason is null`,
    action: 'allow',
  });
}

interface StandingRule {
  term_id: number;
  term_version_id: number;
}

/** The newest confirmed rule per term, if it has the action to reverse. */
const standing = (only: string): string => `
  select r.term_id, r.term_version_id
  from (
    select distinct on (r.term_id) r.term_id, r.action, e.term_version_id, e.source, e.evidence ->> 'reason' as reason
    from consent_rules r
    join consent_events e on e.id = r.event_id
    left join consent_event_outcomes o on o.event_id = r.event_id
    where r.instance_id = $1 and r.contact = $2 and r.purpose_id = $3 and r.channel = 'mail'
      and r.contact_type = 'email_address' and (r.is_confirmed or o.status = 'confirmed')
      and ${unsealed('r.event_id')}
    order by r.term_id, r.id desc
  ) r
  where ${only} order by r.term_id`;

/** Recorded under the version of the reversed rule: no person is recorded as accepting a text that they were not shown. */
async function reverseRules(
  tx: Queryable,
  { instance_id, purpose_id, at, evidence, ...holder }: ContactOfPurpose,
  { only, action }: { only: string; action: ConsentRule['action'] },
): Promise<ConsentEvent[]> {
  const contact = canonicalContact({ contact_type: 'email_address', contact: holder.contact });
  const find = async (): Promise<StandingRule[]> =>
    await tx.query<StandingRule & Record<string, unknown>>(standing(only), [
      instance_id,
      contact,
      purpose_id,
    ]);
  // Most contacts have no rules and need no lock. It is read again under the lock, so that two clicks withdraw once.
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
