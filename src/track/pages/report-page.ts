import { escapeHtml } from '../../base/http/html.ts';
import type { HostedPage } from '../../base/http/hosted-page.ts';
import type { Language } from '../../base/http/preferred-language.ts';
import { type ComplaintType, maxCommentCharacters } from '../../restrictions/index.ts';
import { mailPage, paragraph } from './page-parts.ts';
import type { ShownMail } from './shown-mail.ts';
import { texts } from './texts.ts';

type OfferedType = Exclude<ComplaintType, 'unknown'>;

export function offeredType(given: string | undefined): OfferedType | undefined {
  const types = Object.keys(texts.en.report.types) as OfferedType[];
  return types.find((type) => type === given);
}

interface Draft {
  /** The entered comment, when no type was chosen. */
  comment: string;
}

/** The form, with its violation when shown again; thanks once there is a report. */
export function reportPage(lang: Language, mail: ShownMail, refused?: Draft): HostedPage {
  const words = texts[lang].report;
  if (mail.is_reported) {
    const body = `<p role="status">${escapeHtml(words.done(mail.instance_name))}</p>`;
    return mailPage(lang, mail, { title: words.done_title, body });
  }
  const alarm = refused
    ? `<p class="alarm" role="alert" id="missing">${escapeHtml(words.missing)}</p>\n`
    : '';
  const described = refused ? ' aria-describedby="missing"' : '';
  const choices = Object.entries(words.types).map(
    ([type, text]) =>
      `<label class="choice"><input type="radio" name="type" value="${type}" required> <span>${escapeHtml(text)}</span></label>`,
  );
  const body = `${alarm}${paragraph(words.explanation)}
<form method="post">
<fieldset${described}>
<legend>${escapeHtml(words.what)}</legend>
${choices.join('\n')}
</fieldset>
<p></p>
<label for="comment">${escapeHtml(words.comment)} <span class="hint" id="hint">${escapeHtml(words.comment_hint)}</span></label>
<textarea id="comment" name="comment" maxlength="${maxCommentCharacters}" rows="4" aria-describedby="hint">${escapeHtml(refused?.comment ?? '')}</textarea>
<button>${escapeHtml(words.button)}</button>
</form>`;
  return mailPage(lang, mail, { title: words.title, body });
}
