import { Problem } from '../base/errors/problem.ts';
import type { Contact } from '../base/contacts.ts';
import type { Language } from '../base/http/preferred-language.ts';
import { confirmationDraft, type ConfirmationLinks } from './confirmation-mail.ts';
import type { FillableForm } from './fillable-form.ts';
import { type FormMailer, queueFormMail } from './queue-form-mail.ts';
import type { ParsedSubmission } from './read-submission.ts';
import {
  emailOf,
  nextSubmissionId,
  storeSubmission,
  type SubmissionEvidence,
  type Submitted,
} from './submit-form.ts';

export interface Submission {
  read: ParsedSubmission;
  evidence: SubmissionEvidence;
  lang: Language;
  /** Whether contacts of a person who was erased are left out. */
  is_without_erased?: boolean;
}

export interface Asked extends Submission {
  /** Contacts of a person who was erased, and the keyed hash of their address. */
  returning?: { contacts: Contact[]; hash: Buffer } | undefined;
}

/** Stores a submission that waits for its double opt-in, and queues the mail that asks for it: both or neither. */
export async function askConfirmation(
  context: FormMailer & ConfirmationLinks,
  form: FillableForm,
  { read, evidence, lang, returning, is_without_erased = false }: Asked,
): Promise<Submitted> {
  const { sender_email } = form;
  const email = emailOf(read);
  if (sender_email === null || email === undefined) throw new Problem('confirmation_requires_email');
  const id = await nextSubmissionId(context.db);
  const consents = read.consents.map(({ consent }) => consent);
  const draft = confirmationDraft(context, { ...form, sender_email }, { id, email, lang, consents });
  const actor = { kind: 'system', address: evidence.address ?? undefined } as const;
  const request = {
    action: 'confirmation_sent',
    form,
    about: { kind: 'form_submission', id },
    email,
    actor,
    erased: returning?.hash,
  } as const;
  return await queueFormMail(
    context,
    { draft, request },
    async (tx, queue) =>
      await storeSubmission(tx, form, {
        read,
        evidence,
        confirmation: { id, queue },
        is_without_erased,
        returning: returning?.contacts,
      }),
  );
}
