import { escapeHtml } from '../../base/http/html.ts';
import type { HostedPage } from '../../base/http/hosted-page.ts';
import type { Language } from '../../base/http/preferred-language.ts';
import { requestKinds } from '../request-schemas.ts';
import { rightsTexts } from './rights-texts.ts';

/** People do not see it, so that only programs fill it in. */
export const honeypotName = 'website';
export const maxDetail = 2_000;

const extra_style = `
input[type=email] { display: block; width: 100%; min-height: 3rem; margin: .5rem 0 1.25rem; padding: .6rem .75rem; font: inherit;
  color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: .625rem; }
.trap { position: absolute; left: -10000px; }`;

export interface Given {
  kind: string;
  email: string;
  detail: string;
}

/** The form; with what was given and an alarm when it is shown again. */
export function rightsPage(
  lang: Language,
  instance: { name: string },
  { given, update }: { given?: Given; update?: { title: string; url: string } | undefined },
): HostedPage {
  const words = rightsTexts[lang];
  const form = update
    ? `\n<p class="soft">${escapeHtml(words.update)} <a href="${escapeHtml(update.url)}">${escapeHtml(update.title)}</a></p>`
    : '';
  const alarm = given ? `<p class="alarm" role="alert" id="wrong">${escapeHtml(words.wrong)}</p>\n` : '';
  const described = given ? ' aria-describedby="wrong"' : '';
  const choices = requestKinds.map(
    (kind) =>
      `<label class="choice"><input type="radio" name="kind" value="${kind}" required${given?.kind === kind ? ' checked' : ''}> <span>${escapeHtml(words.kinds[kind])}</span></label>`,
  );
  return {
    lang,
    title: words.title(instance.name),
    extra_style,
    main: `<h1>${escapeHtml(words.title(instance.name))}</h1>
${alarm}<p>${escapeHtml(words.intro(instance.name))}</p>
<form method="post">
<fieldset${described}>
<legend>${escapeHtml(words.what)}</legend>
${choices.join('\n')}
</fieldset>${form}
<p></p>
<label for="email">${escapeHtml(words.email)} <span class="hint" id="email-hint">${escapeHtml(words.email_hint)}</span></label>
<input type="email" id="email" name="email" required maxlength="254" autocomplete="email" aria-describedby="email-hint" value="${escapeHtml(given?.email ?? '')}">
<label for="detail">${escapeHtml(words.detail)} <span class="hint" id="detail-hint">${escapeHtml(words.detail_hint)}</span></label>
<textarea id="detail" name="detail" maxlength="${maxDetail}" rows="4" aria-describedby="detail-hint">${escapeHtml(given?.detail ?? '')}</textarea>
<p class="trap" aria-hidden="true"><input name="${honeypotName}" tabindex="-1" autocomplete="off"></p>
<button>${escapeHtml(words.send)}</button>
</form>`,
  };
}
