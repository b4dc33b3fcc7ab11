import type { Violation } from '../base/errors/problem.ts';
import { escapePointer } from '../base/http/violations.ts';
import { findUnsafeText } from '../base/http/text-safety.ts';
import type { NewConsent } from '../consent/index.ts';
import type { FormConsent, FormField, FillableForm } from './fillable-form.ts';
import { readAnswer, type Answer } from './read-answer.ts';
import { contactChannels } from './validate-items.ts';

export interface RawSubmission {
  /** By field_key. */
  answers: Record<string, unknown>;
  /** Ids of the accepted terms. */
  consents: number[];
  /** Ids of the versions that were shown; the current ones when left out. */
  versions?: number[];
}

export interface ParsedSubmission {
  answers: Record<string, Answer>;
  consents: { consent: FormConsent; rules: NewConsent['rules'] }[];
  violations: Violation[];
}

/** Parses a submission and validates it against its form. */
export function readSubmission(form: FillableForm, raw: RawSubmission): ParsedSubmission {
  const violations: Violation[] = findUnsafeText({ answers: raw.answers });
  const { answers, violations: answerViolations } = readAnswers(form, raw.answers);
  violations.push(...answerViolations);
  const expected = form.items.flatMap((item) => (item.kind === 'consent' ? [item.consent] : []));
  violations.push(...unknownConsents(expected, raw.consents));
  const consents = expected.flatMap((consent) => {
    const pointer = `/consents/${consent.term_id}`;
    if (!raw.consents.includes(consent.term_id)) {
      if (consent.is_required) violations.push({ pointer, code: 'missing', message: 'Consent required' });
      return [];
    }
    if (raw.versions && !raw.versions.includes(consent.term_version_id)) {
      const message = 'Another version of the text is current now';
      violations.push({ pointer, code: 'value_error.version', message });
    }
    const rules = rulesOf(consent, answers);
    // A refused identifier has been reported already.
    if (rules.length === 0 && answerViolations.length === 0) {
      const message = 'Consent needs something by which you can be reached';
      violations.push({ pointer, code: 'value_error.contact', message });
    }
    return [{ consent, rules }];
  });
  return { answers, consents, violations };
}

function readAnswers(
  form: FillableForm,
  raw: Record<string, unknown>,
): { answers: Record<string, Answer>; violations: Violation[] } {
  const fields = form.items.flatMap((item) => (item.kind === 'field' ? [item.field] : []));
  const known = new Set(fields.map(({ field_key }) => field_key));
  const violations: Violation[] = Object.keys(raw)
    .filter((key) => !known.has(key))
    .map((key) => ({
      pointer: `/answers/${escapePointer(key)}`,
      code: 'extra_forbidden',
      message: 'The form does not ask for this',
    }));
  const answers: Record<string, Answer> = {};
  for (const field of fields) {
    const pointer = `/answers/${field.field_key}`;
    const sent = Object.hasOwn(raw, field.field_key) ? raw[field.field_key] : undefined;
    if (isEmpty(sent)) {
      if (isRequired(field, form)) violations.push({ pointer, code: 'missing', message: 'Field required' });
      continue;
    }
    const read = readAnswer(field, sent);
    if (!('answer' in read)) violations.push({ pointer, ...read });
    else if (field.field_key === 'UNIQUECODE' && String(read.answer).length > maxCodeLength) {
      const message = `Text should have at most ${maxCodeLength} characters`;
      violations.push({ pointer, code: 'string_too_long', message, params: { max_length: maxCodeLength } });
    } else answers[field.field_key] = read.answer;
  }
  return { answers, violations };
}

/** As long as a contact of a consent can be; otherwise its verdict could not be read or the consent withdrawn. */
const maxCodeLength = 254;

/** A confirmation needs the address. */
function isRequired({ field_key, is_required }: FormField, form: FillableForm): boolean {
  return is_required || (form.requires_confirmation && field_key === 'EMAIL');
}

function isEmpty(sent: unknown): boolean {
  if (typeof sent === 'string') return sent.trim() === '';
  return sent === undefined || sent === null || (Array.isArray(sent) && sent.length === 0);
}

function unknownConsents(expected: FormConsent[], raw: number[]): Violation[] {
  return raw
    .filter((id) => !expected.some(({ term_id }) => term_id === id))
    .map((id) => ({
      pointer: `/consents/${id}`,
      code: 'extra_forbidden',
      message: 'The form does not ask for this consent',
    }));
}

/** Identifying fields, and the contacts that their answers are. */
export const contactFields = [
  ['EMAIL', 'email_address'],
  ['PHONE', 'phone_number'],
  ['UNIQUECODE', 'uniquecode'],
] as const;

/** One rule per purpose and per channel for which an answer is a contact. */
function rulesOf(consent: FormConsent, answers: Record<string, Answer>): NewConsent['rules'] {
  return consent.channels.flatMap((channel) => {
    const found = contactFields.find(
      ([key]) => key in answers && contactChannels.get(key)?.includes(channel),
    );
    if (!found) return [];
    const [key, contact_type] = found;
    const contact = String(answers[key]);
    return consent.purpose_ids.map((purpose_id) => ({
      channel,
      contact_type,
      contact,
      purpose_id,
      action: 'allow' as const,
    }));
  });
}
