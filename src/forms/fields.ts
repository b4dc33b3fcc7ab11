import type { Queryable } from '../base/db/database.ts';
import { Conditions } from '../base/db/conditions.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { judgeConfig } from './field-config.ts';
import type { Field, NewField } from './field-schemas.ts';

const columns = 'id, name, field_key, type, is_system, is_active, config, created_at, updated_at';

/** What every instance starts with. */
const systemFields = [
  ['EMAIL', 'Email', 'email'],
  ['PHONE', 'Phone', 'phone'],
  ['FIRST_NAME', 'First name', 'text'],
  ['LAST_NAME', 'Last name', 'text'],
  ['UNIQUECODE', 'Unique code', 'text'],
  ['ADDRESS', 'Address', 'address'],
] as const;

export async function seedSystemFields(tx: Queryable, instanceId: number): Promise<void> {
  await tx.query(
    `insert into fields (instance_id, is_system, field_key, name, type)
     select $1, true, * from unnest($2::text[], $3::text[], $4::text[])`,
    [instanceId, ...[0, 1, 2].map((part) => systemFields.map((field) => field[part]))],
  );
}

export interface FieldFilters extends PageRequest {
  is_active?: boolean | null;
}

export async function listFields(
  db: Queryable,
  instanceId: number,
  filters: FieldFilters,
): Promise<PageOf<Field>> {
  const conditions = new Conditions()
    .where('instance_id = ?', instanceId)
    .where('is_active = ?', filters.is_active);
  return await selectPage<Field>(
    db,
    {
      columns,
      source: `from fields where deleted_at is null and ${conditions.sql()}`,
      order_by: 'id',
      values: conditions.values,
    },
    filters,
  );
}

export async function getField(db: Queryable, instanceId: number, id: number): Promise<Field> {
  const [row] = await db.query<Field>(
    `select ${columns} from fields where instance_id = $1 and id = $2 and deleted_at is null`,
    [instanceId, id],
  );
  if (!row) throw new Problem('field_not_found');
  return row;
}

/** The identifiers of fields by their keys; unknown ones are left out. */
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

export async function createField(db: Queryable, instanceId: number, wanted: NewField): Promise<Field> {
  const violations = judgeConfig(wanted);
  if (violations.length > 0) throw validationProblem(violations);
  const { name, field_key, type, config = null } = wanted;
  const [created] = await db.query<Field>(
    `insert into fields (instance_id, name, field_key, type, config) values ($1, $2, $3, $4, $5)
     on conflict on constraint fields_key_unique do nothing returning ${columns}`,
    [instanceId, name, field_key, type, config === null ? null : JSON.stringify(config)],
  );
  if (created) return created;
  const [holder] = await db.query<{ deleted_at: Date | null }>(
    'select deleted_at from fields where instance_id = $1 and field_key = $2',
    [instanceId, field_key],
  );
  throw new Problem(holder?.deleted_at ? 'field_key_reserved' : 'field_key_already_exists');
}
