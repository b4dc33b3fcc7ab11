import type { Queryable } from '../base/db/database.ts';
import { requireFreeExternalId } from '../base/db/external-id.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { validateConfig } from './field-config.ts';
import type { Field, FieldChanges, NewField } from './field-schemas.ts';
import { fieldColumns, getField } from './fields.ts';

const audit = auditOf('field');

export async function createField(
  tx: Queryable,
  instanceId: number,
  { field, actor }: { field: NewField; actor: Actor },
): Promise<Field> {
  const violations = validateConfig(field);
  if (violations.length > 0) throw validationProblem(violations);
  const { name, field_key, type, config = null, external_id = null } = field;
  await requireFreeExternalId(tx, instanceId, { table: 'fields', external_id });
  const [created] = await tx.query<Field>(
    `insert into fields (instance_id, name, field_key, type, config, external_id) values ($1, $2, $3, $4, $5, $6)
     on conflict on constraint fields_key_unique do nothing returning ${fieldColumns}`,
    [instanceId, name, field_key, type, config === null ? null : JSON.stringify(config), external_id],
  );
  if (!created) throw await takenKey(tx, instanceId, field_key);
  const details = { name, field_key, type, external_id };
  await audit(tx, instanceId, { action: 'created', id: created.id, actor, details });
  return created;
}

async function takenKey(tx: Queryable, instanceId: number, key: string): Promise<Problem> {
  const [holder] = await tx.query<{ deleted_at: Date | null }>(
    'select deleted_at from fields where instance_id = $1 and field_key = $2',
    [instanceId, key],
  );
  return new Problem(holder?.deleted_at ? 'field_key_reserved' : 'field_key_already_exists');
}

/** Key and type are immutable, since answers are stored by them. A change without effect is not audited. */
export async function updateField(
  tx: Queryable,
  instanceId: number,
  { id, changes, actor }: { id: number; changes: FieldChanges; actor: Actor },
): Promise<Field> {
  const present = await lockField(tx, instanceId, id);
  const { name, config, is_active, external_id } = { ...present, ...changes };
  if (changes.config !== undefined) {
    const violations = validateConfig({ type: present.type, config });
    if (violations.length > 0) throw validationProblem(violations);
  }
  // An inactive field is read-only, except in the request that activates it (contract §18).
  const isEdit = changes.name !== undefined || changes.config !== undefined;
  if (isEdit && !present.is_active && !is_active) throw new Problem('field_is_inactive');
  await requireFreeExternalId(tx, instanceId, { table: 'fields', external_id, of: id });
  const [row] = await tx.query<Field>(
    `update fields set name = $2, config = $3, is_active = $4, external_id = $5, updated_at = now()
     where id = $1 and (name, config, is_active, external_id) is distinct from ($2, $3::jsonb, $4, $5)
     returning ${fieldColumns}`,
    [id, name, config === null ? null : JSON.stringify(config), is_active, external_id],
  );
  if (!row) return present;
  const details = { name, is_active, external_id, is_config_changed: changes.config !== undefined };
  await audit(tx, instanceId, { action: 'updated', id, actor, details });
  return row;
}

/** The key stays reserved, and existing answers are kept. */
export async function deleteField(
  tx: Queryable,
  instanceId: number,
  { id, actor }: { id: number; actor: Actor },
): Promise<void> {
  const { is_system, field_key } = await lockField(tx, instanceId, id);
  if (is_system) throw new Problem('field_is_system');
  const forms = await tx.query(
    `select from form_items it join forms f on f.id = it.form_id
     where it.field_id = $1 and f.deleted_at is null limit 1`,
    [id],
  );
  if (forms.length > 0) throw new Problem('field_in_use');
  await tx.query('update fields set deleted_at = now(), updated_at = now() where id = $1', [id]);
  await audit(tx, instanceId, { action: 'deleted', id, actor, details: { field_key } });
}

/** Forms lock the fields they use too, so that no field is deleted while it is being added. */
async function lockField(tx: Queryable, instanceId: number, id: number): Promise<Field> {
  await tx.query('select from fields where instance_id = $1 and id = $2 for update', [instanceId, id]);
  return await getField(tx, instanceId, id);
}
