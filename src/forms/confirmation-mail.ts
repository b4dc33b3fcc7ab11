import type { Draft } from '../accept/draft.ts';
import { escapeHtml } from '../base/http/html.ts';
import type { Language } from '../base/http/preferred-language.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import { formTexts } from './pages/form-texts.ts';

interface Confirmation {
  instance_id: number;
  sender_email: string;
  to: string;
  form: string;
  link: string;
  lang: Language;
}

/** The second half of a double opt-in, as a mail of the form's own sender. */
export function confirmationMail(confirmation: Confirmation): Draft {
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
