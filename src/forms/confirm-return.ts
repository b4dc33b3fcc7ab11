import { canonicalContact } from '../base/contacts.ts';
import type { ContactHashes } from '../base/contact-hash.ts';
import type { Queryable } from '../base/db/database.ts';
import { auditOf } from '../audit/index.ts';
import { confirmConsentEvent, recordConsentEvent, recordReceipt } from '../consent/index.ts';
import { markReturned } from '../restrictions/index.ts';
import { evidenceFor, type HeldReturn, type SubmissionEvidence } from './submit-form.ts';

const audit = auditOf('form_submission');

/** A submission by which a person who was erased comes back. */
export interface WaitingReturn {
  id: number;
  instance_id: number;
  form_id: number;
  created_at: Date;
  address: string | null;
  user_agent: string | null;
  held: HeldReturn;
}

/**
 * The person confirmed that it was them. What they agreed to becomes evidence, as if it had waited in the chain; their erasure is
 * lifted for it, with a receipt beside those of the request that had erased them.
 */
export async function confirmReturn(
  tx: Queryable,
  submission: WaitingReturn,
  { hashes, evidence }: { hashes: ContactHashes; evidence: SubmissionEvidence },
): Promise<void> {
  const { id, instance_id, form_id } = submission;
  const returned = await markReturned(tx, instance_id, {
    hashes: submission.held.contacts.map((contact) => hashes.of(instance_id, contact)),
    at: evidence.at,
  });
  const requests = [...Map.groupBy(returned, ({ request_id }) => request_id)];
  const actor = { kind: 'system', address: evidence.address ?? undefined } as const;
  const details = { form_id, rights_requests: requests.map(([request_id]) => request_id) };
  await audit(tx, instance_id, { action: 'returned', id, actor, details });
  const consent_event_ids = await recordHeld(tx, submission, evidence);
  for (const [subject_id, contacts] of requests) {
    await recordReceipt(tx, instance_id, {
      subject: 'rights_request',
      subject_id,
      step: 'returned',
      content: {
        kind: 'erasure',
        contacts: contacts.map(({ hash }) => hash.toString('hex')),
        submission_id: id,
        consent_event_ids,
      },
      at: new Date(evidence.at),
    });
  }
}

/** With both origins: from where it was filled in, and from where it was confirmed. */
async function recordHeld(
  tx: Queryable,
  { id, instance_id, created_at, address, user_agent, held }: WaitingReturn,
  evidence: SubmissionEvidence,
): Promise<number[]> {
  const ids: number[] = [];
  const standing = await withoutWithdrawn(tx, { instance_id, created_at, held });
  for (const given of standing) {
    const event = await recordConsentEvent(tx, instance_id, {
      ...given,
      status: 'pending',
      method: 'double_opt_in',
      source: 'form',
      evidence: evidenceFor(id, { address, user_agent, at: created_at }),
      at: evidence.at,
    });
    await confirmConsentEvent(tx, instance_id, {
      id: event.id,
      evidence: evidenceFor(id, evidence),
      at: evidence.at,
    });
    ids.push(event.id);
  }
  await tx.query('update form_submissions set consent_event_ids = $2 where id = $1', [id, ids]);
  return ids;
}

type HeldConsent = HeldReturn['consents'][number];
type Rule = HeldConsent['rules'][number];

/** As for any submission: who withdraws after filling it in stays withdrawn when it is confirmed. */
async function withoutWithdrawn(
  tx: Queryable,
  { instance_id, created_at, held }: Pick<WaitingReturn, 'instance_id' | 'created_at' | 'held'>,
): Promise<HeldConsent[]> {
  const keyOf = (rule: Omit<Rule, 'action'>): string =>
    JSON.stringify([rule.contact_type, canonicalContact(rule), rule.channel, rule.purpose_id]);
  const denied = await tx.query<Rule & Record<string, unknown>>(
    `select contact_type, contact, channel, purpose_id from consent_rules
     where instance_id = $1 and action = 'deny' and created_at >= $2 and contact = any ($3::text[])`,
    [instance_id, created_at, held.contacts.map(canonicalContact)],
  );
  const withdrawn = new Set(denied.map(keyOf));
  return held.consents.flatMap((consent) => {
    const rules = consent.rules.filter((rule) => !withdrawn.has(keyOf(rule)));
    return rules.length > 0 ? [{ ...consent, rules }] : [];
  });
}
