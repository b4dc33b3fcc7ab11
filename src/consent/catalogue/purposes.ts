import { Conditions } from '../../base/db/conditions.ts';
import type { Queryable } from '../../base/db/database.ts';
import { Problem } from '../../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../../base/http/pagination.ts';
import type { ConsentPurpose } from './purpose-schemas.ts';

/** `is_enabled` is an integer in the API (contract §17). */
export const purposeColumns = 'id, external_id, code, name, description, is_enabled::int as is_enabled';

/** Every instance starts with two editable purposes (contract §17). */
export async function seedPurposes(tx: Queryable, instanceId: number): Promise<void> {
  await tx.query(
    `insert into consent_purposes (instance_id, code, name)
     values ($1, 'marketing', 'Marketing'), ($1, 'newsletter', 'Newsletter')`,
    [instanceId],
  );
}

export interface PurposeFilters extends PageRequest {
  is_enabled?: boolean | null;
  external_id?: string | null;
}

export async function listPurposes(
  db: Queryable,
  instanceId: number,
  filters: PurposeFilters,
): Promise<PageOf<ConsentPurpose>> {
  const conditions = new Conditions()
    .where('instance_id = ?', instanceId)
    .where('is_enabled = ?', filters.is_enabled)
    .where('external_id = ?', filters.external_id);
  return await selectPage<ConsentPurpose>(
    db,
    {
      columns: purposeColumns,
      source: `from consent_purposes where ${conditions.sql()}`,
      order_by: 'id',
      values: conditions.values,
      is_short: true,
    },
    filters,
  );
}

export async function getPurpose(db: Queryable, instanceId: number, id: number): Promise<ConsentPurpose> {
  const [row] = await db.query<ConsentPurpose>(
    `select ${purposeColumns} from consent_purposes where instance_id = $1 and id = $2`,
    [instanceId, id],
  );
  if (!row) throw new Problem('consent_purpose_not_found');
  return row;
}

export async function findPurposeByCode(
  db: Queryable,
  instanceId: number,
  code: string,
): Promise<{ id: number } | undefined> {
  const [row] = await db.query<{ id: number }>(
    'select id from consent_purposes where instance_id = $1 and code = $2',
    [instanceId, code],
  );
  return row;
}
