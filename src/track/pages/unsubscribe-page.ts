import { escapeHtml } from '../../base/http/html.ts';
import type { HostedPage } from '../../base/http/hosted-page.ts';
import type { Language } from '../../base/http/preferred-language.ts';
import { maxReasonCharacters } from '../../restrictions/index.ts';
import { mailPage, paragraph } from './page-parts.ts';
import { maskAddress, type ShownMail } from './shown-mail.ts';
import { texts } from './texts.ts';

/** Requested by the form, or by a mail client (one-click). */
export type UnsubscribeAction = 'one_click' | 'unsubscribe' | 'resubscribe';

/** RFC 8058 §3.1: `List-Unsubscribe=One-Click`, in either encoding. */
export function readAction(field: (name: string) => string | undefined): UnsubscribeAction | undefined {
  if (field('List-Unsubscribe')?.trim().toLowerCase() === 'one-click') return 'one_click';
  const action = field('action');
  return action === 'unsubscribe' || action === 'resubscribe' ? action : undefined;
}

interface Offered {
  /** An error message. */
  alarm?: string;
  /** Where to change one's data instead. */
  update?: { title: string; url: string } | undefined;
}

/** Offers to unsubscribe or to resubscribe. */
export function unsubscribePage(
  lang: Language,
  mail: ShownMail,
  { alarm, update }: Offered = {},
): HostedPage {
  const words = texts[lang].unsubscribe;
  const instead = update
    ? `\n<p class="soft">${escapeHtml(words.update)} <a href="${escapeHtml(update.url)}">${escapeHtml(update.title)}</a></p>`
    : '';
  const address = maskAddress(mail.recipient);
  const alert = alarm === undefined ? '' : `<p class="alarm" role="alert">${escapeHtml(alarm)}</p>\n`;
  if (mail.is_unsubscribed) {
    const body = `${alert}${paragraph(words.done(address, mail.instance_name))}
<form method="post">
<p class="soft">${escapeHtml(words.mistake)}</p>
<button class="quiet" name="action" value="resubscribe">${escapeHtml(words.resubscribe)}</button>
</form>${instead}`;
    return mailPage(lang, mail, { title: words.done_title, body });
  }
  const body = `${alert}${paragraph(words.question(address, mail.instance_name))}
<p class="soft">${escapeHtml(words.other_mail)}</p>
<form method="post">
<label for="reason">${escapeHtml(words.reason)} <span class="hint">${escapeHtml(texts[lang].optional)}</span></label>
<textarea id="reason" name="reason" maxlength="${maxReasonCharacters}" rows="2"></textarea>
<button name="action" value="unsubscribe">${escapeHtml(words.button)}</button>
</form>${instead}`;
  return mailPage(lang, mail, { title: words.title, body });
}

/** After a resubscribe. */
export function resubscribedPage(lang: Language, mail: ShownMail): HostedPage {
  const words = texts[lang].unsubscribe;
  const notice = words.resubscribed(maskAddress(mail.recipient), mail.instance_name);
  return mailPage(lang, mail, {
    title: words.resubscribed_title,
    body: `<p class="notice" role="status">${escapeHtml(notice)}</p>`,
  });
}
