import type { Queryable } from '../base/db/database.ts';
import type { Violation } from '../base/errors/problem.ts';
import type { Form, NewFormItem } from './form-schemas.ts';

interface FieldFacts {
  id: number;
  field_key: string;
  is_active: boolean;
}

interface TermFacts {
  id: number;
  is_active: boolean;
  channels: string[];
  has_current_version: boolean;
}

/** Identifying fields, and the channels each of them is a contact for (contract §17). */
export const contactChannels: ReadonlyMap<string, readonly string[]> = new Map([
  ['EMAIL', ['mail']],
  ['PHONE', ['sms', 'wsp', 'call']],
  ['UNIQUECODE', ['mail', 'sms', 'wsp', 'call', 'push']],
]);

/** Fields and terms that the items refer to. */
export interface NamedByItems {
  fields: Map<number, FieldFacts>;
  terms: Map<number, TermFacts>;
}

/** Locks what the items refer to until the form is stored. */
export async function findNamed(
  tx: Queryable,
  instanceId: number,
  items: NewFormItem[],
): Promise<NamedByItems> {
  const fields = await tx.query<FieldFacts & Record<string, unknown>>(
    `select id, field_key, is_active from fields
     where instance_id = $1 and id = any($2) and deleted_at is null for share`,
    [instanceId, items.map(({ field_id }) => field_id ?? null)],
  );
  const terms = await tx.query<TermFacts & Record<string, unknown>>(
    `select t.id, t.is_active, t.channels,
       exists (select from consent_term_versions v where v.term_id = t.id and v.is_current) as has_current_version
     from consent_terms t where t.instance_id = $1 and t.id = any($2)`,
    [instanceId, items.map(({ term_id }) => term_id ?? null)],
  );
  return {
    fields: new Map(fields.map((field) => [field.id, field])),
    terms: new Map(terms.map((term) => [term.id, term])),
  };
}

/** All violations, with pointers. `kept` are fields that the form already has. */
export function validateItems(
  items: NewFormItem[],
  named: NamedByItems,
  { kind, kept }: { kind: Form['kind']; kept: Set<number> },
): Violation[] {
  const keys = items.flatMap(({ field_id }) => named.fields.get(field_id ?? 0)?.field_key ?? []);
  const violations = items.flatMap((item, index) => {
    const at = (member: string, code: string, message: string): Violation => ({
      pointer: `/items/${index}/${member}`,
      code,
      message,
    });
    if (item.kind === 'field') return validateField(item, { named, kind, kept, at });
    if (item.kind === 'consent') return validateConsent(item, { named, keys, at });
    if (item.kind === 'text' && !item.content?.trim())
      return [at('content', 'missing', 'A text needs its content')];
    return [];
  });
  if (kind === 'consent' && !items.some((item) => item.kind === 'consent')) {
    const message = 'A form of kind consent needs at least one consent';
    violations.push({ pointer: '/items', code: 'value_error.consent', message });
  }
  return [...violations, ...repeated(items)];
}

type At = (member: string, code: string, message: string) => Violation;

function validateField(
  { field_id }: NewFormItem,
  { named, kind, kept, at }: { named: NamedByItems; kind: Form['kind']; kept: Set<number>; at: At },
): Violation[] {
  if (field_id === undefined || field_id === null)
    return [at('field_id', 'missing', 'Which field is missing')];
  const field = named.fields.get(field_id);
  if (!field) return [at('field_id', 'value_error.field', 'There is no such field')];
  if (!field.is_active && !kept.has(field_id)) {
    return [at('field_id', 'value_error.field_inactive', 'This field is inactive')];
  }
  if (kind === 'consent' && !contactChannels.has(field.field_key)) {
    const message = `A form of kind consent takes only ${[...contactChannels.keys()].join(', ')}`;
    return [at('field_id', 'value_error.field_kind', message)];
  }
  return [];
}

function validateConsent(
  { term_id }: NewFormItem,
  { named, keys, at }: { named: NamedByItems; keys: string[]; at: At },
): Violation[] {
  if (term_id === undefined || term_id === null) return [at('term_id', 'missing', 'Which term is missing')];
  const term = named.terms.get(term_id);
  if (!term) return [at('term_id', 'value_error.term', 'There is no such consent term')];
  if (!term.is_active) return [at('term_id', 'value_error.term_inactive', 'This term is inactive')];
  if (!term.has_current_version) {
    return [at('term_id', 'value_error.term_no_current_version', 'No version of this term is current')];
  }
  const reaches = term.channels.some((channel) =>
    keys.some((key) => contactChannels.get(key)?.includes(channel)),
  );
  if (reaches) return [];
  const message = `The form asks for nothing by which a person is reached over ${term.channels.join(' or ')}`;
  return [at('term_id', 'value_error.term_unreachable', message)];
}

function repeated(items: NewFormItem[]): Violation[] {
  const seen = new Set<string>();
  return items.flatMap(({ kind, field_id, term_id }, index) => {
    const member = kind === 'field' ? 'field_id' : 'term_id';
    const id = kind === 'field' ? field_id : kind === 'consent' ? term_id : undefined;
    if (id === undefined || id === null) return [];
    const key = `${kind} ${id}`;
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const message = 'A form has each field and each term once';
    return [{ pointer: `/items/${index}/${member}`, code: 'value_error.duplicate', message }];
  });
}
