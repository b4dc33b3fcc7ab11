import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { recordConsentEvent } from '../consent/index.ts';
import { sendAutoReply } from './auto-reply.ts';
import { findContactAnswers } from './contact-answers.ts';
import { findErasedAnswers, withoutAnswers } from './erased-answers.ts';
import type { Submission } from './ask-confirmation.ts';
import type { FillableForm } from './fillable-form.ts';
import type { ParsedSubmission } from './read-submission.ts';
import { confirmSubmission } from './settle-submission.ts';
import { findStandingConsents } from './standing-consents.ts';
import { evidenceFor, storeSubmission, type SubmissionEvidence } from './submit-form.ts';
import type { TakingContext } from './take-submission.ts';
import { type UpdateLink, useLink } from './update-links.ts';

export interface Update extends Submission {
  link: UpdateLink;
  /** Terms whose boxes were ticked when the form was opened. */
  shown_agreed: number[];
}

/**
 * Takes what a contact changed. It counts at once: the link was mailed to the address, which stands in the answers
 * whatever was posted. Throws `form_submission_not_pending` when the link was used meanwhile, or its person was erased.
 */
export async function takeUpdate(context: TakingContext, form: FillableForm, update: Update): Promise<void> {
  const { link, evidence, lang } = update;
  const { instance_id } = form;
  const id = await context.db.transaction(async (tx) => {
    if (!(await useLink(tx, link.id, evidence.at))) throw new Problem('form_submission_not_pending');
    const { answers } = update.read;
    const erased = await findErasedAnswers(tx, context.hashes, { instance_id, answers });
    if (erased.some(({ field_key }) => field_key === 'EMAIL'))
      throw new Problem('form_submission_not_pending');
    const read = withoutAnswers(update.read, erased);
    return await storeUpdate(tx, form, { ...update, read, hashes: context.hashes });
  });
  await sendAutoReply(context, { submission_id: id, lang, address: evidence.address ?? undefined });
}

/** Confirmed in the same transaction. */
async function storeUpdate(
  tx: Queryable,
  form: FillableForm,
  { link, read, evidence, shown_agreed, hashes }: Update & Pick<TakingContext, 'hashes'>,
): Promise<number> {
  const { email } = link;
  const standing = await findStandingConsents(tx, form, email);
  const { id } = await storeSubmission(tx, form, {
    read: { ...read, consents: read.consents.filter(({ consent }) => !standing.has(consent.term_id)) },
    evidence,
    update: { taken_back: await takenBack(tx, form, { email, read }) },
  });
  await confirmSubmission(tx, id, { hashes, evidence });
  const ticked = new Set(read.consents.map(({ consent }) => consent.term_id));
  const terms = shown_agreed.filter((term_id) => standing.has(term_id) && !ticked.has(term_id));
  await withdraw(tx, form, { id, terms, email, evidence });
  return id;
}

/** What the form asks for, the contact told before, and leaves empty now. */
async function takenBack(
  tx: Queryable,
  { instance_id, items }: FillableForm,
  { email, read }: { email: string; read: ParsedSubmission },
): Promise<string[]> {
  const earlier = (await findContactAnswers(tx, instance_id, email)) ?? {};
  return items.flatMap((item) => {
    if (item.kind !== 'field') return [];
    const { field_key } = item.field;
    return field_key in earlier && !(field_key in read.answers) ? [field_key] : [];
  });
}

/** Unticking a box that was ticked when the form was opened withdraws its consent. */
async function withdraw(
  tx: Queryable,
  { instance_id, items }: FillableForm,
  given: { id: number; terms: number[]; email: string; evidence: SubmissionEvidence },
): Promise<void> {
  const ids: number[] = [];
  for (const item of items) {
    if (item.kind !== 'consent' || !given.terms.includes(item.consent.term_id)) continue;
    const { term_id, term_version_id, purpose_ids } = item.consent;
    const event = await recordConsentEvent(tx, instance_id, {
      term_id,
      term_version_id,
      status: 'confirmed',
      method: 'double_opt_in',
      source: 'form',
      evidence: evidenceFor(given.id, given.evidence),
      at: given.evidence.at,
      rules: purpose_ids.map((purpose_id) => ({
        channel: 'mail',
        contact_type: 'email_address',
        contact: given.email,
        purpose_id,
        action: 'deny',
      })),
    });
    ids.push(event.id);
  }
  if (ids.length === 0) return;
  await tx.query(
    'update form_submissions set consent_event_ids = consent_event_ids || $2::bigint[] where id = $1',
    [given.id, ids],
  );
}
