import type { Draft } from '../accept/index.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Language } from '../base/http/preferred-language.ts';
import { findContactAnswers } from './contact-answers.ts';
import type { FillableForm } from './fillable-form.ts';
import { draftOf, mailHtml, mailText, subjectOf, type FormMail } from './form-mail.ts';
import { languageOfForm } from './form-settings.ts';
import { formTexts } from './pages/form-texts.ts';
import { type FormMailer, queueFormMail } from './queue-form-mail.ts';
import { linkHours, nextLinkId, storeLink, type UpdateTokens } from './update-links.ts';

export interface UpdateLinks {
  update_tokens: UpdateTokens;
  base_url: string;
}

interface AskedUpdate {
  /** In canonical form. */
  email: string;
  lang: Language;
  /** Of the person who asks. */
  address: string;
  at: Date;
}

/**
 * Mails the link that opens the form with what its contact told before: both are stored or neither. Nothing happens where no contact with
 * the address is known; the caller cannot tell, since this runs after the answer (`after-answer.ts`).
 */
export async function sendUpdateLink(
  context: FormMailer & UpdateLinks,
  form: FillableForm,
  { email, lang, address, at }: AskedUpdate,
): Promise<void> {
  const { id: form_id, instance_id, sender_email } = form;
  if (sender_email === null) throw new Problem('confirmation_requires_email');
  if (!(await findContactAnswers(context.db, instance_id, email))) return;
  const id = await nextLinkId(context.db);
  const link = `${context.base_url}/update/${context.update_tokens.make(id)}`;
  const request = {
    action: 'update_link_sent',
    form,
    about: { kind: 'form', id: form_id },
    email,
    actor: { kind: 'system', address },
    is_network_counted: true,
  } as const;
  await queueFormMail(
    context,
    { draft: linkDraft({ ...form, sender_email }, { email, lang, link }), request },
    async (tx, queue) => {
      await queue();
      await storeLink(tx, { id, instance_id, form_id, email, address, at });
    },
  );
}

function linkDraft(
  form: FillableForm & { sender_email: string },
  { email, link, ...reader }: { email: string; lang: Language; link: string },
): Draft {
  const lang = languageOfForm(form, reader.lang);
  const { instance_id, sender_email, name, settings } = form;
  const title = settings?.title || name;
  const mail = updateLinkMail(lang, { title, link });
  return {
    ...draftOf({ instance_id, sender_email, to: email, auto_submitted: 'auto-generated' }),
    kind: 'content',
    subject: subjectOf(formTexts[lang].update_mail.subject(title)),
    html: mailHtml(mail, form),
    text: mailText(mail),
  };
}

export function updateLinkMail(lang: Language, { title, link }: { title: string; link: string }): FormMail {
  const words = formTexts[lang];
  const { heading, text, button, ignore } = words.update_mail;
  return {
    lang,
    heading,
    paragraphs: [text(title, linkHours)],
    button: { label: button, url: link },
    small: [words.mail.otherwise, link, ignore],
  };
}
