import { Problem } from '../errors/problem.ts';
import type { Queryable } from './database.ts';

/** The tables whose rows have an `external_id`, and which of their rows count. Unique indexes have the same conditions. */
const counted = {
  domains: 'deleted_at is null',
  senders: 'deleted_at is null',
  mail_templates: 'deleted_at is null',
  fields: 'deleted_at is null',
  forms: 'deleted_at is null',
  consent_purposes: 'true',
  consent_terms: 'true',
  webhooks: 'true',
  inbound_routes: 'true',
  api_keys: 'revoked_at is null',
  smtp_credentials: 'revoked_at is null',
} as const;

interface Claim {
  table: keyof typeof counted;
  external_id: string | null | undefined;
  /** The row that it is for, where that exists. */
  of?: number | string;
}

/**
 * Throws `external_id_already_exists` with the id of the row that has it. Creations with the same one wait for each other until the
 * end of the transaction, so that each but the first is told what the first made.
 */
export async function requireFreeExternalId(
  tx: Queryable,
  instanceId: number,
  { table, external_id = null, of }: Claim,
): Promise<void> {
  if (external_id === null) return;
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, $2))', [
    `${table} ${external_id}`,
    instanceId,
  ]);
  const [holder] = await tx.query<{ id: number | string }>(
    `select id from ${table} where instance_id = $1 and external_id = $2 and ${counted[table]}`,
    [instanceId, external_id],
  );
  if (!holder || holder.id === of) return;
  throw new Problem('external_id_already_exists', { existing_id: holder.id });
}
