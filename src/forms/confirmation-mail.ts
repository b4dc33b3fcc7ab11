import type { Acceptance, Draft } from '../accept/index.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { escapeHtml } from '../base/http/html.ts';
import type { Language } from '../base/http/preferred-language.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { limitPlatformMail, type PlatformMailLimits } from '../limits/index.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import type { FillableForm } from './fillable-form.ts';
import { formTexts } from './pages/form-texts.ts';
import type { SubmissionTokens } from './submission-token.ts';

export interface ConfirmationMailer {
  acceptance: Pick<Acceptance, 'acceptMail'>;
  tokens: SubmissionTokens;
  base_url: string;
}

interface ConfirmationRequest {
  action: 'sent' | 'resent';
  form: Pick<FillableForm, 'id' | 'instance_id'>;
  submission: { id: number; email: string };
  actor: Actor;
}

/** Audits and counts the confirmation, in the transaction after which `sendConfirmation` is called. */
export async function countConfirmation(
  tx: Queryable,
  limits: PlatformMailLimits,
  { action, form: { id: form_id, instance_id }, submission: { id, email }, actor }: ConfirmationRequest,
): Promise<void> {
  await recordAudit(tx, {
    instance_id,
    actor,
    action: `form_submission.confirmation_${action}`,
    object: { kind: 'form_submission', id: String(id) },
    details: { form_id, email },
  });
  await limitPlatformMail(tx, limits, {
    kind: 'confirmation',
    instance_id,
    recipient: email,
    address: actor.address,
  });
}

/** Throws the code of the refusal. */
export async function sendConfirmation(
  { acceptance, tokens, base_url }: ConfirmationMailer,
  form: Pick<FillableForm, 'instance_id' | 'name' | 'settings' | 'sender_email'>,
  { id, email, lang }: { id: number; email: string | undefined; lang: Language },
): Promise<void> {
  const { instance_id, sender_email, name, settings } = form;
  if (sender_email === null || email === undefined) throw new Problem('confirmation_requires_email');
  const link = `${base_url}/confirm/${tokens.make(id)}`;
  const title = settings?.title || name;
  await acceptance.acceptMail(
    confirmationMail({ instance_id, sender_email, to: email, form: title, link, lang }),
  );
}

interface Confirmation {
  instance_id: number;
  sender_email: string;
  to: string;
  form: string;
  link: string;
  lang: Language;
}

/** The mail of a double opt-in, from the sender of the form. */
function confirmationMail(confirmation: Confirmation): Draft {
  const { instance_id, sender_email, to, form, link, lang } = confirmation;
  const address = canonicalAddress(to);
  if (!address) throw new Error('a submission was kept with an address that is none');
  const words = formTexts[lang];
  const { subject, text, ignore } = words.mail;
  const href = escapeHtml(link);
  return {
    kind: 'content',
    source: 'form',
    instance_id,
    sender_email,
    recipients: [{ kind: 'to', address: address.address, domain: address.domain, name: undefined }],
    subject: subject(form)
      .replaceAll(/\p{Cc}/gu, ' ')
      .slice(0, 200),
    html: `<p>${escapeHtml(text(form))}</p>
<p><a href="${href}">${escapeHtml(words.confirm.button)}</a></p>
<p>${href}</p>
<p>${escapeHtml(ignore)}</p>`,
    text: `${text(form)}\n\n${link}\n\n${ignore}\n`,
    reply_to: null,
    headers: [],
    attachments: [],
    category: null,
    test_mode: false,
    custom_msg_id: null,
    custom_group_code: null,
  };
}
