import { columnsOf } from '../base/db/columns.ts';
import type { Queryable } from '../base/db/database.ts';
import type { NewFormItem } from './form-schemas.ts';

/** As they are stored. The position in the list is the order; members that a kind does not use are left out. */
export function itemRows(items: NewFormItem[]) {
  return items.map((item, index) => ({
    kind: item.kind,
    field_id: item.kind === 'field' ? (item.field_id ?? null) : null,
    term_id: item.kind === 'consent' ? (item.term_id ?? null) : null,
    label: item.label || null,
    content: item.kind === 'text' ? (item.content ?? null) : null,
    is_required: (item.kind === 'field' || item.kind === 'consent') && (item.is_required ?? false),
    sort_order: index + 1,
    width: item.kind === 'field' ? (item.width ?? 'full') : 'full',
  }));
}

export async function replaceItems(tx: Queryable, formId: number, items: NewFormItem[]): Promise<void> {
  await tx.query('delete from form_items where form_id = $1', [formId]);
  const columns = [
    'kind',
    'field_id',
    'term_id',
    'label',
    'content',
    'is_required',
    'sort_order',
    'width',
  ] as const;
  await tx.query(
    `insert into form_items (form_id, ${columns.join(', ')})
     select $1, * from unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::boolean[], $8::integer[], $9::text[])`,
    [formId, ...columnsOf(itemRows(items), columns)],
  );
}
