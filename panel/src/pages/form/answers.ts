import type { Field, Form } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import type { Catalogue } from './catalogue.ts';

/** The fields that the form asks for, in its order, under the names it gives them. */
export function askedFields(form: Form, catalogue: Catalogue): { field: Field; name: string }[] {
  const byId = new Map(catalogue.fields.map((field) => [field.id, field]));
  return form.items.flatMap(({ field_id, label }) => {
    const field = byId.get(field_id ?? 0);
    return field ? [{ field, name: label ?? field.name }] : [];
  });
}

/** An answer as people gave it: labels of options in place of their values. */
export function useAnswerText(): (field: Field | undefined, answer: unknown) => string {
  const t = useMessages('form_submissions');
  return (field, answer) => {
    if (answer === undefined || answer === null || answer === '') return t.no_answer;
    if (typeof answer === 'boolean') return answer ? t.yes : t.no;
    const options = (field?.config?.['options'] ?? []) as { value: string; label: string }[];
    const shown = (value: unknown): string =>
      options.find((each) => each.value === value)?.label ?? String(value);
    return Array.isArray(answer) ? answer.map(shown).join(', ') : shown(answer);
  };
}
