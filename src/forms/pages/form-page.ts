import { dark } from '../../base/brand.ts';
import { readableOn, withContrast } from '../../base/colour-contrast.ts';
import type { HostedPage } from '../../base/http/hosted-page.ts';
import { escapeHtml } from '../../base/http/html.ts';
import type { Language } from '../../base/http/preferred-language.ts';
import type { Violation } from '../../base/errors/problem.ts';
import type { FormConsent, FormField, FillableForm, FillableItem } from '../fillable-form.ts';
import type { RawSubmission } from '../read-submission.ts';
import type { GivenConsent } from '../submission-consents.ts';
import { fieldControl, problemAt } from './field-control.ts';
import { formTexts, type FormTexts } from './form-texts.ts';

/** Honeypot: bots fill it in, people do not see it. Field keys are upper case, so it cannot collide. */
export const honeypotName = 'website';
export const consentName = 'consent';
/** The version of each term that the page shows: another one may be current by the time it is sent. */
export const versionName = 'version';
/** Each term whose box is ticked when the form is opened by a link: where it is not when it is sent, consent is withdrawn. */
export const agreedName = 'agreed';

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
.terms { margin: 0 0 .5rem; padding: .75rem .875rem; border: 1px solid var(--line);
  border-radius: .625rem; background: var(--paper); color: var(--on-paper, inherit); font-size: .9375rem; }
.terms.long { max-height: min(28rem, 70vh); overflow: auto; }
.terms strong { display: block; margin-bottom: .25rem; } .terms p { margin: 0; white-space: pre-line; }
.terms a { color: inherit; display: inline-block; margin-top: .5rem; } .items .choice { margin: 0; }
.items .choice + .choice { margin-top: .5rem; }
form + .text { margin-top: 1.75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .9375rem; }
[aria-invalid] { border-color: var(--alarm) !important; }
.trap { position: absolute; left: -200vw; } .logo { display: block; max-width: 12rem; max-height: 5rem; margin: 0 0 1.25rem; }
.text { white-space: pre-line; }`;

/** What stands in the form: what was told before, or what was sent and refused. */
interface Filled {
  given: RawSubmission;
  violations: Violation[];
  /** By a link in the mailbox of the address, which cannot be changed then. */
  opened_by?: { email: string; agreed: number[] };
}

/** The form; after a refusal with the submitted values and messages. */
export function formPage(
  lang: Language,
  form: Pick<FillableForm, 'name' | 'settings' | 'items'>,
  filled?: Filled,
): HostedPage {
  const words = formTexts[lang];
  const { title, header_text, footer_text } = form.settings ?? {};
  const alarm = filled?.violations.length
    ? `<p class="alarm" role="alert">${escapeHtml(alarmText(words, filled))}</p>\n`
    : '';
  const items = form.items.map((item) => itemHtml(lang, item, filled));
  const main = `${logo(form)}<h1>${escapeHtml(title || form.name)}</h1>
${text(header_text)}${alarm}<form method="post">
<div class="items">
${items.join('\n')}
</div>
${trap}
<button>${escapeHtml(filled?.opened_by ? words.save : words.send)}</button>
</form>
${text(footer_text)}`;
  return { ...designed(form), lang, title: title || form.name, main };
}

interface LinkedForm {
  title: string;
  url: string;
}

/** A form of type update, opened without a link. `refused` is what was given and is not an address. */
export function askPage(
  lang: Language,
  form: Pick<FillableForm, 'name' | 'settings'>,
  { refused, other }: { refused?: string | undefined; other?: LinkedForm | undefined } = {},
): HostedPage {
  const words = formTexts[lang];
  const { title, header_text, footer_text } = form.settings ?? {};
  const alarm = refused === undefined ? '' : `<p class="alarm" role="alert">${escapeHtml(words.wrong)}</p>\n`;
  const violations = refused === undefined ? [] : [noAddress];
  const field = { ...askedField, name: words.fields['EMAIL'] ?? '' };
  const elsewhere = other
    ? `<p class="text">${escapeHtml(words.ask.other)} <a href="${escapeHtml(other.url)}" target="_blank" rel="noopener">${escapeHtml(other.title)}</a></p>\n`
    : '';
  const main = `${logo(form)}<h1>${escapeHtml(title || form.name)}</h1>
${text(header_text)}${alarm}<p>${escapeHtml(words.ask.text)}</p>
<form method="post">
<div class="items">
${fieldControl(lang, field, { sent: refused, violations, is_fixed: false })}
</div>
${trap}
<button>${escapeHtml(words.ask.button)}</button>
</form>
${elsewhere}${text(footer_text)}`;
  return { ...designed(form), lang, title: title || form.name, main };
}

const askedField: FormField = {
  field_key: 'EMAIL',
  name: '',
  label: null,
  type: 'email',
  config: null,
  is_required: true,
  width: 'full',
};
const noAddress: Violation = {
  pointer: '/answers/EMAIL',
  code: 'value_error.email',
  message: 'This is not an email address',
};

const trap = `<div class="trap" aria-hidden="true"><label>Website <input name="${honeypotName}" tabindex="-1" autocomplete="off"></label></div>`;

/** Unknown keys belong to no field, so they are reported here. */
function alarmText(words: FormTexts, { violations }: Filled): string {
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
  const atNight = rules(withContrast(colour, dark.card, 3));
  return `:root { ${rules(colour)} }
@media (prefers-color-scheme: dark) { :root:where(:not(.light)) { ${atNight} } } :root:where(.dark) { ${atNight} }`;
}

function logo({ settings }: Pick<FillableForm, 'settings'>): string {
  const url = settings?.design?.logo_url;
  return url ? `<img class="logo" src="${escapeHtml(url)}" alt="" referrerpolicy="no-referrer">\n` : '';
}

function text(content: string | null | undefined): string {
  return content ? `<p class="text">${escapeHtml(content)}</p>\n` : '';
}

function itemHtml(lang: Language, item: FillableItem, filled: Filled | undefined): string {
  if (item.kind === 'divider') return '<hr>';
  if (item.kind === 'text') return `<p>${escapeHtml(item.content)}</p>`;
  // It cannot be agreed to now; a form that requires it is closed and not rendered.
  if (item.kind === 'closed_consent') return '';
  if (item.kind === 'consent') return consentHtml(lang, item.consent, filled);
  const { field_key } = item.field;
  return fieldControl(lang, item.field, {
    sent: filled?.given.answers[field_key],
    violations: filled?.violations ?? [],
    is_fixed: field_key === 'EMAIL' && filled?.opened_by !== undefined,
  });
}

function consentHtml(lang: Language, consent: FormConsent, filled: Filled | undefined): string {
  const { term_id, term_version_id, name, label, is_required } = consent;
  const { given, violations = [], opened_by } = filled ?? {};
  const isShown = given?.versions?.includes(term_version_id) ?? true;
  const checked = isShown && given?.consents.includes(term_id) ? ' checked' : '';
  const problem = problemAt(lang, `/consents/${term_id}`, violations);
  const was = opened_by?.agreed.includes(term_id)
    ? `\n<input type="hidden" name="${agreedName}" value="${term_id}">`
    : '';
  return `<div>${termHtml(lang, consent)}${was}
<input type="hidden" name="${versionName}" value="${term_version_id}">
<label class="choice"><input type="checkbox" name="${consentName}" value="${term_id}"${checked}${is_required ? ' required' : ''}> <span>${escapeHtml(label ?? formTexts[lang].agree(name))}${problem}</span></label></div>`;
}

/** Up to here a text is shown whole: what stands below the fold of a box, often how to withdraw, is not read. */
const wholeCharacters = 2_000;

/** What is agreed to, in full. It scrolls where it is long, with the keyboard too. */
export function termHtml(lang: Language, { name, version, body, document_url }: GivenConsent): string {
  const words = formTexts[lang];
  const title = escapeHtml(words.term(name, version));
  const link = document_url
    ? `<a href="${escapeHtml(document_url)}" rel="noopener noreferrer" target="_blank">${escapeHtml(words.document)}</a>`
    : '';
  const shape = body.length > wholeCharacters ? ' class="terms long" tabindex="0"' : ' class="terms"';
  return `<div${shape} role="region" aria-label="${title}"><strong>${title}</strong><p>${escapeHtml(body)}</p>${link}</div>`;
}
