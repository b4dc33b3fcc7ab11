import { dark } from '../../base/brand.ts';
import { readableOn, withContrast } from '../../base/colour-contrast.ts';
import type { HostedPage } from '../../base/http/hosted-page.ts';
import { escapeHtml } from '../../base/http/html.ts';
import type { Language } from '../../base/http/preferred-language.ts';
import type { Violation } from '../../base/errors/problem.ts';
import type { FormConsent, FillableForm, FillableItem } from '../fillable-form.ts';
import type { RawSubmission } from '../read-submission.ts';
import type { GivenConsent } from '../submission-consents.ts';
import { fieldControl, problemAt } from './field-control.ts';
import { formTexts, type FormTexts } from './form-texts.ts';

/** Honeypot: bots fill it in, people do not see it. Field keys are upper case, so it cannot collide. */
export const honeypot_name = 'website';
export const consent_name = 'consent';
/** The version of each term that the page shows: another one may be current by the time it is sent. */
export const version_name = 'version';

const style = `
input:not([type=radio], [type=checkbox]), select { display: block; width: 100%; min-height: 3rem; margin: .5rem 0 0; padding: .6rem .75rem;
  font: inherit; color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: .625rem; }
.items { display: grid; grid-template-columns: 1fr; gap: 1.25rem; }
@media (min-width: 30rem) { .items { grid-template-columns: 1fr 1fr; } .items > * { grid-column: 1 / -1; }
  .items > .half { grid-column: auto; } }
.items hr { width: 100%; border: 0; border-top: 1px solid var(--line); } .items p { margin: 0; white-space: pre-line; }
.wrong { display: block; color: var(--alarm); font-size: .9375rem; font-weight: 600; margin-top: .25rem; }
.items > div, .items > fieldset { display: flex; flex-direction: column; min-width: 0; } .ask { flex: 1; }
.items .hint { display: inline; margin-left: .25rem; } .items textarea { flex: none; }
.terms { max-height: 12rem; overflow: auto; margin: 0 0 .5rem; padding: .75rem .875rem; border: 1px solid var(--line);
  border-radius: .625rem; background: var(--paper); color: var(--on-paper, inherit); font-size: .9375rem; }
.terms strong { display: block; margin-bottom: .25rem; } .terms p { margin: 0; white-space: pre-line; }
.terms a { color: inherit; display: inline-block; margin-top: .5rem; } .items .choice { margin: 0; }
.items .choice + .choice { margin-top: .5rem; }
form + .text { margin-top: 1.75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .9375rem; }
[aria-invalid] { border-color: var(--alarm) !important; }
.trap { position: absolute; left: -200vw; } .logo { display: block; max-width: 12rem; max-height: 5rem; margin: 0 0 1.25rem; }
.text { white-space: pre-line; }`;

interface Refused {
  given: RawSubmission;
  violations: Violation[];
}

/** The form; after a refusal with the submitted values and messages. */
export function formPage(
  lang: Language,
  form: Pick<FillableForm, 'name' | 'settings' | 'items'>,
  refused?: Refused,
): HostedPage {
  const words = formTexts[lang];
  const { title, header_text, footer_text } = form.settings ?? {};
  const alarm = refused ? `<p class="alarm" role="alert">${escapeHtml(alarmText(words, refused))}</p>\n` : '';
  const items = form.items.map((item) => itemHtml(lang, item, refused));
  const main = `${logo(form)}<h1>${escapeHtml(title || form.name)}</h1>
${text(header_text)}${alarm}<form method="post">
<div class="items">
${items.join('\n')}
</div>
<div class="trap" aria-hidden="true"><label>Website <input name="${honeypot_name}" tabindex="-1" autocomplete="off"></label></div>
<button>${escapeHtml(words.send)}</button>
</form>
${text(footer_text)}`;
  return { ...designed(form), lang, title: title || form.name, main };
}

/** Unknown keys belong to no field, so they are reported here. */
function alarmText(words: FormTexts, { violations }: Refused): string {
  const isUnasked = violations.some(({ code }) => code === 'extra_forbidden');
  return isUnasked ? `${words.wrong} ${words.unasked}` : words.wrong;
}

/** A page with a message only. */
export function formMessage(
  lang: Language,
  form: Pick<FillableForm, 'settings' | 'name'>,
  message: { title: string; text: string },
): HostedPage {
  const main = `${logo(form)}<h1>${escapeHtml(message.title)}</h1>\n<p role="status">${escapeHtml(message.text)}</p>`;
  return { ...designed(form), lang, title: message.title, main };
}

/** Colours, CSS and logo of the owner, validated on save. */
function designed({ settings }: Pick<FillableForm, 'settings'>): Pick<HostedPage, 'extra_style' | 'picture'> {
  const { primary_color, secondary_color, custom_css, logo_url } = settings?.design ?? {};
  const paper = secondary_color
    ? `:root { --paper: ${secondary_color}; --on-paper: ${readableOn(secondary_color)}; }`
    : '';
  return {
    // The browser hashes the parsed style, in which line ends are LF.
    extra_style: `${style}\n${accentRules(primary_color)}\n${paper}\n${custom_css ?? ''}`.replaceAll(
      /\r\n?/g,
      '\n',
    ),
    ...(logo_url ? { picture: logo_url } : {}),
  };
}

/** Most colours of firms are dark: on the dark page they are lightened as far as focus and edges need (WCAG 2.2 §1.4.11). */
function accentRules(colour: string | null | undefined): string {
  if (!colour) return '';
  const rules = (accent: string): string => `--accent: ${accent}; --on-accent: ${readableOn(accent)};`;
  const at_night = rules(withContrast(colour, dark.card, 3));
  return `:root { ${rules(colour)} }
@media (prefers-color-scheme: dark) { :root:where(:not(.light)) { ${at_night} } } :root:where(.dark) { ${at_night} }`;
}

function logo({ settings }: Pick<FillableForm, 'settings'>): string {
  const url = settings?.design?.logo_url;
  return url ? `<img class="logo" src="${escapeHtml(url)}" alt="" referrerpolicy="no-referrer">\n` : '';
}

function text(content: string | null | undefined): string {
  return content ? `<p class="text">${escapeHtml(content)}</p>\n` : '';
}

function itemHtml(lang: Language, item: FillableItem, refused: Refused | undefined): string {
  if (item.kind === 'divider') return '<hr>';
  if (item.kind === 'text') return `<p>${escapeHtml(item.content)}</p>`;
  // It cannot be agreed to now; a form that requires it is closed and not rendered.
  if (item.kind === 'closed_consent') return '';
  if (item.kind === 'consent') return consentHtml(lang, item.consent, refused);
  return fieldControl(lang, item.field, {
    sent: refused?.given.answers[item.field.field_key],
    violations: refused?.violations ?? [],
  });
}

function consentHtml(lang: Language, consent: FormConsent, refused: Refused | undefined): string {
  const { term_id, term_version_id, name, label, is_required } = consent;
  const { given, violations = [] } = refused ?? {};
  const isShown = given?.versions?.includes(term_version_id) ?? true;
  const checked = isShown && given?.consents.includes(term_id) ? ' checked' : '';
  const problem = problemAt(lang, `/consents/${term_id}`, violations);
  return `<div>${termHtml(lang, consent)}
<input type="hidden" name="${version_name}" value="${term_version_id}">
<label class="choice"><input type="checkbox" name="${consent_name}" value="${term_id}"${checked}${is_required ? ' required' : ''}> <span>${escapeHtml(label ?? formTexts[lang].agree(name))}${problem}</span></label></div>`;
}

/** What is agreed to, in full. It scrolls where it is long, with the keyboard too. */
export function termHtml(lang: Language, { name, version, body, document_url }: GivenConsent): string {
  const words = formTexts[lang];
  const title = escapeHtml(words.term(name, version));
  const link = document_url
    ? `<a href="${escapeHtml(document_url)}" rel="noopener noreferrer" target="_blank">${escapeHtml(words.document)}</a>`
    : '';
  return `<div class="terms" role="region" tabindex="0" aria-label="${title}"><strong>${title}</strong><p>${escapeHtml(body)}</p>${link}</div>`;
}
