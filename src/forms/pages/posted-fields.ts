import { Problem } from '../../base/errors/problem.ts';
import type { FillableForm } from '../fillable-form.ts';
import type { RawSubmission } from '../read-submission.ts';
import { agreedName, consentName, honeypotName, versionName } from './form-page.ts';
import type { TokenRequest } from './form-visit.ts';

/** Other encodings are refused: they would be stored as a submission without answers. */
export function fieldsOf({ body }: TokenRequest): URLSearchParams {
  if (body instanceof URLSearchParams) return body;
  if (body === undefined || body === null) return new URLSearchParams();
  throw new Problem('unsupported_media_type');
}

/** Terms whose boxes were ticked when the form was opened by a link. */
export function agreedOf(fields: URLSearchParams): number[] {
  return [...new Set(fields.getAll(agreedName).map(Number))];
}

/** All submitted fields but the honeypot; unknown ones are refused later. */
export function rawSubmission(form: FillableForm, fields: URLSearchParams): RawSubmission {
  const several = new Set(
    form.items.flatMap((item) =>
      item.kind === 'field' && item.field.type === 'multiselect' ? [item.field.field_key] : [],
    ),
  );
  // In one pass: `get` goes through all fields, and took 20 s for the 60,000 names that a body can have.
  const values = Map.groupBy(fields, ([key]) => key);
  const numbers = (name: string) => values.get(name)?.map(([, value]) => Number(value));
  const [consents, versions] = [numbers(consentName), numbers(versionName)];
  for (const name of [honeypotName, consentName, versionName, agreedName]) values.delete(name);
  const answers = Array.from(values, ([key, pairs]) => {
    const sent = pairs.map(([, value]) => value);
    return [key, several.has(key) ? sent : sent[0]] as const;
  });
  return {
    answers: Object.fromEntries(answers),
    consents: [...new Set(consents)],
    ...(versions ? { versions } : {}),
  };
}
