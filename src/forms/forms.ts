import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import type { Form, FormItem, formKinds, formTypes } from './form-schemas.ts';

/** There are no datasets (contract §18). */
const columns = `id, external_id, name, kind, type, null::bigint as dataset_id, public_token, is_default, is_active,
  requires_confirmation, auto_reply_sender_id, settings, created_at, updated_at`;
const itemColumns = 'id, kind, field_id, term_id, label, content, is_required, sort_order, width';

type FormRow = Omit<Form, 'items'>;

export interface FormFilters extends PageRequest {
  kind?: (typeof formKinds)[number] | null;
  type?: (typeof formTypes)[number] | null;
  is_active?: boolean | null;
  name?: string | null;
  requires_confirmation?: boolean | null;
  auto_reply_sender_id?: number | null;
  external_id?: string | null;
}

export async function listForms(
  db: Queryable,
  instanceId: number,
  filters: FormFilters,
): Promise<PageOf<Form>> {
  const conditions = new Conditions()
    .where('instance_id = ?', instanceId)
    .where('kind = ?', filters.kind)
    .where('type = ?', filters.type)
    .where('is_active = ?', filters.is_active)
    .contains('name', filters.name)
    .where('requires_confirmation = ?', filters.requires_confirmation)
    .where('auto_reply_sender_id = ?', filters.auto_reply_sender_id)
    .where('external_id = ?', filters.external_id);
  const page = await selectPage<FormRow>(
    db,
    {
      columns,
      source: `from forms where deleted_at is null and ${conditions.sql()}`,
      order_by: 'id',
      values: conditions.values,
      is_short: true,
    },
    filters,
  );
  return { ...page, data: await withItems(db, page.data) };
}

export async function getForm(db: Queryable, instanceId: number, id: number): Promise<Form> {
  const rows = await db.query<FormRow>(
    `select ${columns} from forms where instance_id = $1 and id = $2 and deleted_at is null`,
    [instanceId, id],
  );
  const [form] = await withItems(db, rows);
  if (!form) throw new Problem('form_not_found');
  return form;
}

async function withItems(db: Queryable, forms: FormRow[]): Promise<Form[]> {
  const items = await db.query<FormItem & { form_id: number }>(
    `select form_id, ${itemColumns} from form_items where form_id = any($1) order by sort_order`,
    [forms.map(({ id }) => id)],
  );
  const byForm = Map.groupBy(items, ({ form_id }) => form_id);
  return forms.map((form) => ({
    ...form,
    items: (byForm.get(form.id) ?? []).map(({ form_id: _form, ...item }) => item),
  }));
}
