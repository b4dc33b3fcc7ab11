import type { Draft } from '../accept/index.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Language } from '../base/http/preferred-language.ts';
import type { Log } from '../base/log.ts';
import { draftOf, mailHtml, mailText, subjectOf, type FormMail } from './form-mail.ts';
import { languageOfForm, type FormSettings } from './form-settings.ts';
import { formTexts } from './pages/form-texts.ts';
import { type FormMailer, sendFormMail } from './queue-form-mail.ts';

interface Context extends FormMailer {
  log: Log;
}

interface Reply {
  submission_id: number;
  lang: Language;
  /** Of the person who submitted or confirmed. */
  address: string | undefined;
}

interface Replied {
  form_id: number;
  instance_id: number;
  name: string;
  settings: FormSettings & { auto_reply: NonNullable<FormSettings['auto_reply']> };
  sender_email: string;
  email: string;
}

/**
 * The mail that a form answers with once a submission counts. It says nothing of what was filled in: with another's
 * address that would carry anybody's words to them. A refusal is logged; the submission counts without it.
 */
export async function sendAutoReply(
  context: Context,
  { submission_id, lang, address }: Reply,
): Promise<void> {
  const { db, log } = context;
  const [found] = await db.query<Replied & Record<string, unknown>>(
    `select f.id as form_id, f.instance_id, f.name, f.settings, s.email_address as sender_email,
       sub.answers ->> 'EMAIL' as email
     from form_submissions sub join forms f on f.id = sub.form_id
       join senders s on s.id = f.auto_reply_sender_id and s.deleted_at is null
     where sub.id = $1 and sub.status = 'confirmed' and f.deleted_at is null
       and jsonb_typeof(f.settings -> 'auto_reply') = 'object' and sub.answers ->> 'EMAIL' <> ''`,
    [submission_id],
  );
  if (!found) return;
  const { form_id, instance_id, email } = found;
  try {
    await sendFormMail(context, {
      draft: replyDraft(languageOfForm(found, lang), found),
      request: {
        action: 'auto_reply_sent',
        form: { id: form_id, instance_id },
        about: { kind: 'form_submission', id: submission_id },
        email,
        actor: { kind: 'system', address },
      },
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    log.warn({ code: error.code, form_id, instance_id }, 'an auto-reply was not sent');
  }
}

function replyDraft(lang: Language, form: Replied): Draft {
  const { instance_id, sender_email, email: to, name, settings } = form;
  const { subject, template_id } = settings.auto_reply;
  const addressed = draftOf({ instance_id, sender_email, to, auto_submitted: 'auto-replied' });
  if (template_id) {
    const template = { id: template_id };
    return { ...addressed, kind: 'template', template, template_variables: {}, strict_variables: false };
  }
  const mail = replyMail(lang, form);
  return {
    ...addressed,
    kind: 'content',
    subject: subjectOf(subject || formTexts[lang].reply.subject(settings.title || name)),
    html: mailHtml(mail, form),
    text: mailText(mail),
  };
}

/** What the reply says when it comes from no template. */
export function replyMail(
  lang: Language,
  { name, settings }: { name: string; settings: FormSettings | null },
): FormMail {
  const { reply } = formTexts[lang];
  const { subject, text } = settings?.auto_reply ?? {};
  return {
    lang,
    heading: subject || reply.heading,
    paragraphs: (text || reply.text).split(/\n{2,}/),
    small: [reply.why(settings?.title || name)],
  };
}
