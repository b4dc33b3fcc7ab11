import type { Queryable } from '../base/db/database.ts';

/** Two editable purposes that every instance starts with (spec §2.8). */
export async function seedPurposes(tx: Queryable, instanceId: number): Promise<void> {
  await tx.query(
    `insert into consent_purposes (instance_id, code, name)
     values ($1, 'marketing', 'Marketing'), ($1, 'newsletter', 'Newsletter')`,
    [instanceId],
  );
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
