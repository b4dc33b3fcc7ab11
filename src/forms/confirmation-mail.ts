import type { Draft } from '../accept/index.ts';
import type { Language } from '../base/http/preferred-language.ts';
import type { FillableForm } from './fillable-form.ts';
import { draftOf, mailHtml, mailText, subjectOf, type FormMail } from './form-mail.ts';
import { languageOfForm } from './form-settings.ts';
import { formTexts } from './pages/form-texts.ts';
import type { GivenConsent } from './submission-consents.ts';
import type { SubmissionTokens } from './submission-token.ts';

export interface ConfirmationLinks {
  tokens: SubmissionTokens;
  base_url: string;
}

/** The form, and the sender that it writes by. */
export interface ConfirmingForm extends Pick<FillableForm, 'id' | 'instance_id' | 'name' | 'settings'> {
  sender_email: string;
}

export function confirmationDraft(
  { tokens, base_url }: ConfirmationLinks,
  form: ConfirmingForm,
  { id, email, consents, ...reader }: { id: number; email: string; lang: Language; consents: GivenConsent[] },
): Draft {
  const lang = languageOfForm(form, reader.lang);
  const { instance_id, sender_email, name, settings } = form;
  const link = `${base_url}/confirm/${tokens.make(id)}`;
  const title = settings?.title || name;
  const mail = confirmationMail(lang, { title, link, consents });
  return {
    ...draftOf({ instance_id, sender_email, to: email, auto_submitted: 'auto-generated' }),
    kind: 'content',
    subject: subjectOf(formTexts[lang].mail.subject(title)),
    html: mailHtml(mail, form),
    text: mailText(mail),
  };
}

/** Beyond it the mail would be cut by mail programs; the page behind the link has the whole text. */
const maxQuoted = 4_000;

export function confirmationMail(
  lang: Language,
  { title, link, consents }: { title: string; link: string; consents: GivenConsent[] },
): FormMail {
  const words = formTexts[lang];
  const { heading, text, agrees, rest, ignore, otherwise } = words.mail;
  return {
    lang,
    heading,
    paragraphs: [text(title), ...(consents.length > 0 ? [agrees] : [])],
    quotes: consents.map(({ name, version, body }) => ({
      title: words.term(name, version),
      body: body.length > maxQuoted ? `${body.slice(0, maxQuoted).toWellFormed()}…\n\n${rest}` : body,
    })),
    button: { label: words.confirm.button, url: link },
    small: [otherwise, link, ignore],
  };
}
