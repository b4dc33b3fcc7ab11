import { escapeHtml } from '../../base/http/html.ts';
import type { HostedPage } from '../../base/http/hosted-page.ts';
import type { Language } from '../../base/http/preferred-language.ts';
import { maxReasonCharacters } from '../../restrictions/index.ts';
import type { OtherPurpose } from './other-purposes.ts';
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

/** Names of the boxes of a broadcast's page. */
const otherPrefix = 'also-';
const allName = 'all';

/** What else is to end: of the purposes that the page offered. */
export function readOthers(
  field: (name: string) => string | undefined,
  offered: OtherPurpose[],
): { from_all: boolean; other_purpose_ids: number[] } {
  const from_all = field(allName) !== undefined;
  const ticked = offered.filter(({ id }) => from_all || field(`${otherPrefix}${id}`) !== undefined);
  return { from_all, other_purpose_ids: ticked.map(({ id }) => id) };
}

interface Offered {
  /** An error message. */
  alarm?: string;
  /** What else the recipient agreed to. */
  others?: OtherPurpose[];
  /** Where to change one's data instead. */
  update?: { title: string; url: string } | undefined;
}

/** Offers to unsubscribe or to resubscribe. */
export function unsubscribePage(
  lang: Language,
  mail: ShownMail,
  { alarm, update, others = [] }: Offered = {},
): HostedPage {
  const words = texts[lang].unsubscribe;
  const instead = update
    ? `\n<p class="soft">${escapeHtml(words.update)} <a href="${escapeHtml(update.url)}">${escapeHtml(update.title)}</a></p>`
    : '';
  const address = maskAddress(mail.recipient);
  const alert = alarm === undefined ? '' : `<p class="alarm" role="alert">${escapeHtml(alarm)}</p>\n`;
  if (mail.is_unsubscribed) {
    const body = `${alert}${paragraph(doneWords(lang, mail))}
${furtherForm(lang, mail, others)}<form method="post">
<p class="soft">${escapeHtml(words.mistake)}</p>
<button class="quiet" name="action" value="resubscribe">${escapeHtml(words.resubscribe)}</button>
</form>${instead}`;
    return mailPage(lang, mail, { title: words.done_title, body });
  }
  const { purpose, instance_name } = mail;
  const question = purpose
    ? words.question_of(purpose.name, address, instance_name)
    : words.question(address, instance_name);
  const boxes = purpose
    ? `${otherBoxes(lang, mail, { legend: others.length > 0 ? words.others : words.or_all, others })}\n<p></p>\n`
    : '';
  const body = `${alert}${paragraph(question)}
<p class="soft">${escapeHtml(words.other_mail)}</p>
<form method="post">
${boxes}<label for="reason">${escapeHtml(words.reason)} <span class="hint">${escapeHtml(texts[lang].optional)}</span></label>
<textarea id="reason" name="reason" maxlength="${maxReasonCharacters}" rows="2"></textarea>
<button name="action" value="unsubscribe">${escapeHtml(words.button)}</button>
</form>${instead}`;
  return mailPage(lang, mail, { title: words.title, body });
}

function doneWords(lang: Language, { purpose, recipient, instance_name }: ShownMail): string {
  const words = texts[lang].unsubscribe;
  const address = maskAddress(recipient);
  return purpose ? words.done_of(purpose.name, address, instance_name) : words.done(address, instance_name);
}

interface Boxes {
  legend: string;
  others: OtherPurpose[];
}

function otherBoxes(lang: Language, { instance_name }: ShownMail, { legend, others }: Boxes): string {
  const box = (name: string, label: string): string =>
    `<label class="choice"><input type="checkbox" name="${name}" value="1"> <span>${escapeHtml(label)}</span></label>`;
  const boxes = [
    ...others.map(({ id, name }) => box(`${otherPrefix}${id}`, name)),
    box(allName, texts[lang].unsubscribe.all(instance_name)),
  ];
  return `<fieldset>\n<legend>${escapeHtml(legend)}</legend>\n${boxes.join('\n')}\n</fieldset>`;
}

/** Once the purpose of the broadcast has ended: what has not. */
function furtherForm(lang: Language, mail: ShownMail, others: OtherPurpose[]): string {
  if (!mail.purpose || others.length === 0) return '';
  const words = texts[lang].unsubscribe;
  return `<form method="post">
${otherBoxes(lang, mail, { legend: words.others_after, others })}
<button name="action" value="unsubscribe">${escapeHtml(words.button_others)}</button>
</form>
`;
}

/** After a resubscribe. */
export function resubscribedPage(lang: Language, mail: ShownMail): HostedPage {
  const words = texts[lang].unsubscribe;
  const address = maskAddress(mail.recipient);
  const notice = mail.purpose
    ? words.resubscribed_to(mail.purpose.name, address, mail.instance_name)
    : words.resubscribed(address, mail.instance_name);
  return mailPage(lang, mail, {
    title: words.resubscribed_title,
    body: `<p class="notice" role="status">${escapeHtml(notice)}</p>`,
  });
}
