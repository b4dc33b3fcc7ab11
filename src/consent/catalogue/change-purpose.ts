import type { Queryable } from '../../base/db/database.ts';
import { requireFreeExternalId } from '../../base/db/external-id.ts';
import { Problem } from '../../base/errors/problem.ts';
import { type Actor, auditOf } from '../../audit/index.ts';
import type { ConsentPurpose, ConsentPurposeChanges, NewConsentPurpose } from './purpose-schemas.ts';
import { getPurpose, purposeColumns } from './purposes.ts';

const audit = auditOf('consent_purpose');

export async function createPurpose(
  tx: Queryable,
  instanceId: number,
  { purpose, actor }: { purpose: NewConsentPurpose; actor: Actor },
): Promise<ConsentPurpose> {
  const { code, name, description = null, external_id = null } = purpose;
  await requireFreeExternalId(tx, instanceId, { table: 'consent_purposes', external_id });
  const [row] = await tx.query<ConsentPurpose>(
    `insert into consent_purposes (instance_id, code, name, description, external_id) values ($1, $2, $3, $4, $5)
     returning ${purposeColumns}`,
    [instanceId, code, name, description, external_id],
  );
  const created = row as ConsentPurpose;
  await audit(tx, instanceId, {
    action: 'created',
    id: created.id,
    actor,
    details: { code, name, external_id },
  });
  return created;
}

/** The code is immutable, since integrations and senders refer to it. A change without effect is not audited. */
export async function updatePurpose(
  tx: Queryable,
  instanceId: number,
  { id, changes, actor }: { id: number; changes: ConsentPurposeChanges; actor: Actor },
): Promise<ConsentPurpose> {
  const present = await getPurpose(tx, instanceId, id);
  const wanted = {
    name: changes.name ?? present.name,
    description: changes.description === undefined ? present.description : changes.description,
    is_enabled: Boolean(changes.is_enabled ?? present.is_enabled),
    external_id: changes.external_id === undefined ? present.external_id : changes.external_id,
  };
  const { external_id } = wanted;
  await requireFreeExternalId(tx, instanceId, { table: 'consent_purposes', external_id, of: id });
  const [row] = await tx.query<ConsentPurpose>(
    `update consent_purposes set name = $2, description = $3, is_enabled = $4, external_id = $5, updated_at = now()
     where id = $1 and (name, description, is_enabled, external_id) is distinct from ($2, $3, $4, $5)
     returning ${purposeColumns}`,
    [id, wanted.name, wanted.description, wanted.is_enabled, external_id],
  );
  if (!row) return present;
  await audit(tx, instanceId, { action: 'updated', id, actor, details: wanted });
  return row;
}

/**
 * Refused while a term, a sender (also a deleted one, for its reports) or a consent refers to it. Foreign keys
 * decide, so that concurrent inserts count too.
 */
export async function deletePurpose(
  tx: Queryable,
  instanceId: number,
  { id, actor }: { id: number; actor: Actor },
): Promise<void> {
  const { code } = await getPurpose(tx, instanceId, id);
  try {
    await tx.query('delete from consent_purposes where id = $1', [id]);
  } catch (error) {
    if (isReferenced(error)) throw new Problem('consent_purpose_in_use', { cause: error });
    throw error;
  }
  await audit(tx, instanceId, { action: 'deleted', id, actor, details: { code } });
}

function isReferenced(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '23503';
}
