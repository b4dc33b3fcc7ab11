import type { Queryable } from '../base/db/database.ts';
import { Conditions } from '../base/db/conditions.ts';
import { Problem } from '../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import type { Field } from './field-schemas.ts';

export const fieldColumns =
  'id, external_id, name, field_key, type, is_system, is_active, config, created_at, updated_at';

/** Seeded in every instance. */
const systemFields = [
  ['EMAIL', 'Email', 'email'],
  ['PHONE', 'Phone', 'phone'],
  ['FIRST_NAME', 'First name', 'text'],
  ['LAST_NAME', 'Last name', 'text'],
  ['UNIQUECODE', 'Unique code', 'text'],
  ['ADDRESS', 'Address', 'address'],
] as const;

/** Whether a system field still has the name that it was made with, which pages show in the reader's language. */
export function hasSeededName({ field_key, name }: Pick<Field, 'field_key' | 'name'>): boolean {
  return systemFields.some(([key, seeded]) => key === field_key && seeded === name);
}

export async function seedSystemFields(tx: Queryable, instanceId: number): Promise<void> {
  await tx.query(
    `insert into fields (instance_id, is_system, field_key, name, type)
     select $1, true, * from unnest($2::text[], $3::text[], $4::text[])`,
    [instanceId, ...[0, 1, 2].map((part) => systemFields.map((field) => field[part]))],
  );
}

export interface FieldFilters extends PageRequest {
  is_active?: boolean | null;
  external_id?: string | null;
}

export async function listFields(
  db: Queryable,
  instanceId: number,
  filters: FieldFilters,
): Promise<PageOf<Field>> {
  const conditions = new Conditions()
    .where('instance_id = ?', instanceId)
    .where('is_active = ?', filters.is_active)
    .where('external_id = ?', filters.external_id);
  return await selectPage<Field>(
    db,
    {
      columns: fieldColumns,
      source: `from fields where deleted_at is null and ${conditions.sql()}`,
      order_by: 'id',
      values: conditions.values,
      is_short: true,
    },
    filters,
  );
}

export async function getField(db: Queryable, instanceId: number, id: number): Promise<Field> {
  const [row] = await db.query<Field>(
    `select ${fieldColumns} from fields where instance_id = $1 and id = $2 and deleted_at is null`,
    [instanceId, id],
  );
  if (!row) throw new Problem('field_not_found');
  return row;
}

/** Ids by key; unknown keys are omitted. */
export async function findFieldIds(
  db: Queryable,
  instanceId: number,
  keys: string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ id: number; field_key: string }>(
    'select id, field_key from fields where instance_id = $1 and field_key = any($2) and deleted_at is null',
    [instanceId, keys],
  );
  return new Map(rows.map(({ id, field_key }) => [field_key, id]));
}
