import type { Violation } from '../../base/errors/problem.ts';
import { escapeHtml } from '../../base/http/html.ts';
import type { Language } from '../../base/http/preferred-language.ts';
import type { FormField } from '../fillable-form.ts';
import { hasSeededName } from '../fields.ts';
import { formTexts } from './form-texts.ts';

interface Given {
  /** The submitted value, when the form is shown again. */
  sent: unknown;
  violations: Violation[];
  /** Shown, and not to be changed. */
  is_fixed?: boolean;
}

/** Label and input by the type of the field. Browser validation is a hint; the server decides. */
export function fieldControl(lang: Language, field: FormField, given: Given): string {
  const { field_key, is_required, width } = field;
  const words = formTexts[lang];
  const hint = is_required ? '' : ` <span class="hint">${escapeHtml(words.optional)}</span>`;
  const name = (hasSeededName(field) && words.fields[field_key]) || field.name;
  const title = `${escapeHtml(field.label ?? name)}${hint}`;
  const pointer = `/answers/${field_key}`;
  const problem = problemAt(lang, pointer, given.violations);
  const shape = width === 'half' ? ' class="half"' : '';
  if (field.type === 'multiselect') {
    return `<fieldset${shape}><legend>${title}</legend>${problem}${choices(field, given.sent)}</fieldset>`;
  }
  const required = is_required ? ' required' : '';
  const invalid = problem ? ` aria-invalid="true" aria-describedby="${problemId(pointer)}"` : '';
  const fixed = given.is_fixed ? ' readonly' : '';
  const attributes = `id="${field_key}" name="${field_key}"${required}${fixed}${invalid}`;
  return `<div${shape}><div class="ask"><label for="${field_key}">${title}</label>${problem}</div>${control(lang, field, { attributes, sent: given.sent })}</div>`;
}

function problemId(pointer: string): string {
  return `problem${pointer.replaceAll('/', '-')}`;
}

/** The message for one value. */
export function problemAt(lang: Language, pointer: string, violations: Violation[]): string {
  const found = violations.find((violation) => violation.pointer === pointer);
  if (!found) return '';
  const { errors } = formTexts[lang];
  const code = pointer.startsWith('/consents/') && found.code === 'missing' ? 'consent' : found.code;
  return `<span class="wrong" id="${problemId(pointer)}">${escapeHtml(errors[code] ?? errors['other'] ?? '')}</span>`;
}

const inputs: Partial<Record<FormField['type'], string>> = {
  email: 'type="email" autocomplete="email" maxlength="254"',
  phone: 'type="tel" autocomplete="tel" maxlength="40"',
  number: 'inputmode="decimal" maxlength="30"',
  date: 'type="date"',
  url: 'type="url" maxlength="2048"',
  address: 'autocomplete="street-address" maxlength="1000"',
};

function control(
  lang: Language,
  { type, config }: FormField,
  { attributes, sent }: { attributes: string; sent: unknown },
): string {
  const value = typeof sent === 'string' ? sent : '';
  const words = formTexts[lang];
  if (type === 'textarea') return `<textarea ${attributes} maxlength="10000">${escapeHtml(value)}</textarea>`;
  if (type === 'select') return selection(attributes, [['', words.choose], ...optionsOf(config)], value);
  if (type === 'boolean') {
    const pairs: [string, string][] = [
      ['', words.choose],
      ['true', words.yes],
      ['false', words.no],
    ];
    return selection(attributes, pairs, value);
  }
  return `<input ${attributes} ${inputs[type] ?? 'maxlength="1000"'} value="${escapeHtml(value)}">`;
}

function selection(attributes: string, options: [string, string][], chosen: string): string {
  const list = options.map(
    ([value, label]) =>
      `<option value="${escapeHtml(value)}"${value === chosen ? ' selected' : ''}>${escapeHtml(label)}</option>`,
  );
  return `<select ${attributes}>${list.join('')}</select>`;
}

function choices({ field_key, config }: FormField, sent: unknown): string {
  const chosen: unknown[] = Array.isArray(sent) ? sent : [sent];
  return optionsOf(config)
    .map(
      ([value, label]) =>
        `<label class="choice"><input type="checkbox" name="${field_key}" value="${escapeHtml(value)}"${chosen.includes(value) ? ' checked' : ''}> <span>${escapeHtml(label)}</span></label>`,
    )
    .join('');
}

function optionsOf(config: FormField['config']): [string, string][] {
  const { options } = (config ?? {}) as { options?: { value: string; label: string }[] };
  return (options ?? []).map(({ value, label }) => [value, label]);
}
