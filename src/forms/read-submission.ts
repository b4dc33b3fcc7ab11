import type { Violation } from '../base/errors/problem.ts';
import { escapePointer } from '../base/http/violations.ts';
import { findUnsafeText } from '../base/http/text-safety.ts';
import type { GivenConsent } from '../consent/index.ts';
import type { AskedConsent, AskedField, FillableForm } from './fillable-form.ts';
import { reachedBy } from './identifiers.ts';
import { readAnswer, type Answer } from './read-answer.ts';

export interface GivenSubmission {
  /** By field_key. */
  answers: Record<string, unknown>;
  /** The terms that were agreed to. */
  consents: number[];
}

export interface ReadSubmission {
  answers: Record<string, Answer>;
  consents: { consent: AskedConsent; rules: GivenConsent['rules'] }[];
  violations: Violation[];
}

/** What was submitted, held to what the form asks. Everything wrong is told at once. */
export function readSubmission(form: FillableForm, given: GivenSubmission): ReadSubmission {
  const violations: Violation[] = findUnsafeText({ answers: given.answers });
  const { answers, violations: wrongAnswers } = readAnswers(form, given.answers);
  violations.push(...wrongAnswers);
  const asked = form.items.flatMap((item) => (item.kind === 'consent' ? [item.consent] : []));
  violations.push(...unasked(asked, given.consents));
  const consents = asked.flatMap((consent) => {
    const pointer = `/consents/${consent.term_id}`;
    if (!given.consents.includes(consent.term_id)) {
      if (consent.is_required) violations.push({ pointer, code: 'missing', message: 'Consent required' });
      return [];
    }
    const rules = rulesOf(consent, answers);
    // When an identifier was refused that has been told already.
    if (rules.length === 0 && wrongAnswers.length === 0) {
      const message = 'Consent needs something by which you can be reached';
      violations.push({ pointer, code: 'value_error.contact', message });
    }
    return [{ consent, rules }];
  });
  return { answers, consents, violations };
}

function readAnswers(
  form: FillableForm,
  given: Record<string, unknown>,
): { answers: Record<string, Answer>; violations: Violation[] } {
  const fields = form.items.flatMap((item) => (item.kind === 'field' ? [item.field] : []));
  const known = new Set(fields.map(({ field_key }) => field_key));
  const violations: Violation[] = Object.keys(given)
    .filter((key) => !known.has(key))
    .map((key) => ({
      pointer: `/answers/${escapePointer(key)}`,
      code: 'extra_forbidden',
      message: 'The form does not ask for this',
    }));
  const answers: Record<string, Answer> = {};
  for (const field of fields) {
    const pointer = `/answers/${field.field_key}`;
    const sent = Object.hasOwn(given, field.field_key) ? given[field.field_key] : undefined;
    if (isEmpty(sent)) {
      if (isRequired(field, form)) violations.push({ pointer, code: 'missing', message: 'Field required' });
      continue;
    }
    const read = readAnswer(field, sent);
    if ('answer' in read) answers[field.field_key] = read.answer;
    else violations.push({ pointer, ...read });
  }
  return { answers, violations };
}

/** The address that a confirmation goes to cannot be left out. */
function isRequired({ field_key, is_required }: AskedField, form: FillableForm): boolean {
  return is_required || (form.requires_confirmation && field_key === 'EMAIL');
}

function isEmpty(sent: unknown): boolean {
  if (typeof sent === 'string') return sent.trim() === '';
  return sent === undefined || sent === null || (Array.isArray(sent) && sent.length === 0);
}

function unasked(asked: AskedConsent[], given: number[]): Violation[] {
  return given
    .filter((id) => !asked.some(({ term_id }) => term_id === id))
    .map((id) => ({
      pointer: `/consents/${id}`,
      code: 'extra_forbidden',
      message: 'The form does not ask for this consent',
    }));
}

const contactTypes = [
  ['EMAIL', 'email_address'],
  ['PHONE', 'phone_number'],
  ['UNIQUECODE', 'uniquecode'],
] as const;

/** One rule for each purpose and each channel of the term over which what was answered reaches the person. */
function rulesOf(consent: AskedConsent, answers: Record<string, Answer>): GivenConsent['rules'] {
  return consent.channels.flatMap((channel) => {
    const found = contactTypes.find(([key]) => key in answers && reachedBy.get(key)?.includes(channel));
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
