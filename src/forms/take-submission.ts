import { Problem } from '../base/errors/problem.ts';
import type { Log } from '../base/log.ts';
import type { ContactHashes } from '../base/contact-hash.ts';
import { askConfirmation, type Asked, type Submission } from './ask-confirmation.ts';
import { sendAutoReply } from './auto-reply.ts';
import type { ConfirmationLinks } from './confirmation-mail.ts';
import { findErasedAnswers, ownOf, withoutAnswers } from './erased-answers.ts';
import type { FillableForm } from './fillable-form.ts';
import type { FormMailer } from './queue-form-mail.ts';
import { storeSubmission } from './submit-form.ts';

export interface TakingContext extends FormMailer, ConfirmationLinks {
  hashes: ContactHashes;
  log: Log;
}

/**
 * Takes what was filled in. A person who was erased comes back by confirming it, whatever the form asks of others; where they cannot
 * be asked, their contacts are left out. The person who fills in the form cannot tell.
 */
export async function takeSubmission(
  context: TakingContext,
  form: FillableForm,
  submission: Submission,
): Promise<void> {
  const { answers } = submission.read;
  const found = { instance_id: form.instance_id, answers };
  const erased = await findErasedAnswers(context.db, context.hashes, found);
  const own = form.sender_email === null ? [] : ownOf(erased);
  const leftOut = erased.filter((answer) => !own.includes(answer));
  const is_without_erased = leftOut.length > 0;
  const kept = { ...submission, is_without_erased, read: withoutAnswers(submission.read, leftOut) };
  const address = own.find(({ field_key }) => field_key === 'EMAIL');
  if (address) {
    const contacts = own.map(({ contact_type, contact }) => ({ contact_type, contact }));
    return await askReturn(context, form, { ...kept, returning: { contacts, hash: address.hash } });
  }
  if (form.requires_confirmation) return void (await askConfirmation(context, form, kept));
  await storeConfirmed(context, form, kept);
}

async function askReturn(context: TakingContext, form: FillableForm, submission: Asked): Promise<void> {
  try {
    await askConfirmation(context, form, submission);
  } catch (error) {
    if (form.requires_confirmation || !(error instanceof Problem)) throw error;
    // Of others this form asks no confirmation: a refusal would say who was erased.
    const { id: form_id, instance_id } = form;
    context.log.warn({ code: error.code, form_id, instance_id }, 'a confirmation could not be sent');
  }
}

/** What counts at once. */
async function storeConfirmed(
  context: TakingContext,
  form: FillableForm,
  { read, evidence, lang, is_without_erased = false }: Submission,
): Promise<void> {
  const { id } = await context.db.transaction(
    async (tx) => await storeSubmission(tx, form, { read, evidence, is_without_erased }),
  );
  await sendAutoReply(context, { submission_id: id, lang, address: evidence.address ?? undefined });
}
