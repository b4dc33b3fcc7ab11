import type { Acceptance } from '../accept/index.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Language } from '../base/http/preferred-language.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { limitPlatformMail, type PlatformMailLimits, returnPlatformMail } from '../limits/index.ts';
import type { FillableForm } from './fillable-form.ts';
import { draftOf, mailHtml, mailText, subjectOf, type FormMail } from './form-mail.ts';
import { formTexts } from './pages/form-texts.ts';
import { findGivenConsents, type GivenConsent } from './submission-consents.ts';
import type { SubmissionTokens } from './submission-token.ts';

const audit = auditOf('form_submission');

export interface ConfirmationMailer {
  db: Queryable;
  acceptance: Pick<Acceptance, 'acceptMail'>;
  tokens: SubmissionTokens;
  base_url: string;
}

interface FormMailRequest {
  action: 'confirmation_sent' | 'confirmation_resent' | 'auto_reply_sent';
  form: Pick<FillableForm, 'id' | 'instance_id'>;
  submission: { id: number; email: string };
  actor: Actor;
}

/** Audits and counts a mail of a form, in a transaction before it is sent. */
export async function countFormMail(
  tx: Queryable,
  limits: PlatformMailLimits,
  { action, form: { id: form_id, instance_id }, submission: { id, email }, actor }: FormMailRequest,
): Promise<void> {
  await audit(tx, instance_id, { action, id, actor, details: { form_id, email } });
  await limitPlatformMail(tx, limits, {
    kind: 'confirmation',
    instance_id,
    recipient: email,
    address: actor.address,
  });
}

/** Accepts a mail that was counted. One that is refused does not count for its recipient. */
export async function acceptFormMail(
  { db, acceptance }: Pick<ConfirmationMailer, 'db' | 'acceptance'>,
  draft: Parameters<Acceptance['acceptMail']>[0],
  email: string,
): Promise<void> {
  try {
    await acceptance.acceptMail(draft);
  } catch (error) {
    if (error instanceof Problem) await returnPlatformMail(db, { kind: 'confirmation', recipient: email });
    throw error;
  }
}

/** Throws the code of the refusal. */
export async function sendConfirmation(
  mailer: ConfirmationMailer,
  form: Pick<FillableForm, 'instance_id' | 'name' | 'settings' | 'sender_email'>,
  { id, email, lang }: { id: number; email: string | undefined; lang: Language },
): Promise<void> {
  const { db, tokens, base_url } = mailer;
  const { instance_id, sender_email, name, settings } = form;
  if (sender_email === null || email === undefined) throw new Problem('confirmation_requires_email');
  const link = `${base_url}/confirm/${tokens.make(id)}`;
  const consents = await findGivenConsents(db, id);
  const title = settings?.title || name;
  const mail = confirmationMail(lang, { title, link, consents });
  const draft = {
    ...draftOf({ instance_id, sender_email, to: email, auto_submitted: 'auto-generated' }),
    kind: 'content' as const,
    subject: subjectOf(formTexts[lang].mail.subject(title)),
    html: mailHtml(mail, form),
    text: mailText(mail),
  };
  await acceptFormMail(mailer, draft, email);
}

/** Beyond it the mail would be cut by mail programs; the page behind the link has the whole text. */
const max_quoted = 4_000;

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
      body: body.length > max_quoted ? `${body.slice(0, max_quoted).toWellFormed()}…\n\n${rest}` : body,
    })),
    button: { label: words.confirm.button, url: link },
    small: [otherwise, link, ignore],
  };
}
