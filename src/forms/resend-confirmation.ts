import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Language } from '../base/http/preferred-language.ts';
import { getConsentEvent } from '../consent/index.ts';
import type { Actor } from '../audit/index.ts';
import { confirmationDraft, type ConfirmationLinks } from './confirmation-mail.ts';
import type { FillableForm } from './fillable-form.ts';
import { getForm } from './forms.ts';
import type { ContactHashes } from '../base/contact-hash.ts';
import { type FormMailer, sendFormMail } from './queue-form-mail.ts';
import { findGivenConsents } from './submission-consents.ts';
import { shownStatus } from './submission-status.ts';

interface Resend {
  form_id: number;
  submission_id: number;
  lang: Language;
  actor: Actor;
  now: Date;
}

interface Waiting extends Pick<FillableForm, 'instance_id' | 'name' | 'settings' | 'sender_email'> {
  email: string | null;
  is_waiting: boolean;
  is_return: boolean;
}

/** The same link: it is derived from the submission and valid until that expires. */
export async function resendConfirmation(
  context: FormMailer & ConfirmationLinks & { hashes: ContactHashes },
  instanceId: number,
  { form_id, submission_id: id, lang, actor, now }: Resend,
): Promise<void> {
  const { db } = context;
  await getForm(db, instanceId, form_id);
  const [found] = await db.query<Waiting & Record<string, unknown>>(
    `select f.instance_id, f.name, f.settings, se.email_address as sender_email, s.answers ->> 'EMAIL' as email,
       ${shownStatus('$3::timestamptz')} = 'pending' as is_waiting, s.held is not null as is_return
     from form_submissions s join forms f on f.id = s.form_id
       left join senders se on se.id = f.auto_reply_sender_id and se.deleted_at is null and not se.requires_consent
     where s.form_id = $1 and s.id = $2`,
    [form_id, id, now],
  );
  if (!found) throw new Problem('form_submission_not_found');
  if (!found.is_waiting) throw new Problem('form_submission_not_pending');
  const { email, sender_email } = found;
  if (email === null || sender_email === null) throw new Problem('confirmation_requires_email');
  const form = { ...found, id: form_id, sender_email };
  const consents = await findGivenConsents(db, id);
  const erased = found.is_return ? context.hashes.ofAddress(instanceId, email) : undefined;
  await sendFormMail(context, {
    draft: confirmationDraft(context, form, { id, email, lang, consents }),
    request: {
      action: 'confirmation_resent',
      form,
      about: { kind: 'form_submission', id },
      email,
      actor,
      erased,
    },
  });
}

/** The submission of a pending consent event. */
export async function submissionOfEvent(
  db: Queryable,
  instanceId: number,
  eventId: number,
): Promise<Pick<Resend, 'form_id' | 'submission_id'>> {
  const { status } = await getConsentEvent(db, instanceId, eventId);
  const [found] = await db.query<{ form_id: number; submission_id: number }>(
    `select s.form_id, s.id as submission_id
     from consent_events e join form_submissions s on s.id = (e.evidence ->> 'submission_id')::bigint
     where e.id = $1 and e.source = 'form' and s.instance_id = $2`,
    [eventId, instanceId],
  );
  if (!found) throw new Problem('consent_event_no_submission');
  if (status !== 'pending') throw new Problem('consent_event_not_pending');
  return found;
}
