import type { Queryable } from '../base/db/database.ts';
import { requireFreeExternalId } from '../base/db/external-id.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { networks } from '../instances/index.ts';
import { apiKeyColumns, validateScopes, type ApiKeyRecord } from './api-keys.ts';
import { boundsWithin, type Bounds } from './maker-bounds.ts';
import { idOf, smtpColumns, smtpScope, type SmtpCredential } from './smtp-credentials.ts';

/** The members of a credential that can change; its secret cannot. */
export interface CredentialChanges extends Partial<Bounds> {
  name?: string;
  scopes?: string[];
  external_id?: string | null;
}

interface Change {
  id: string;
  changes: CredentialChanges;
  actor: Actor;
}

/** A revoked key is not found: nothing about it matters any more. */
export async function updateApiKey(
  tx: Queryable,
  instanceId: number,
  { id, changes, actor }: Change,
): Promise<ApiKeyRecord> {
  const [before] = await tx.query<ApiKeyRecord & Record<string, unknown>>(
    `select ${apiKeyColumns} from api_keys where instance_id = $1 and id = $2 and revoked_at is null for update`,
    [instanceId, id],
  );
  if (!before) throw new Problem('api_key_not_found');
  const scopes = [...new Set(changes.scopes ?? before.scopes)];
  if (scopes.length === 0) throw new Problem('api_key_scope_required');
  const violations = validateScopes(scopes);
  if (violations.length > 0) throw validationProblem(violations);
  const wanted = { ...before, ...changes, scopes };
  const values = await storable(tx, instanceId, { table: 'api_keys', wanted, actor });
  const [row] = await tx.query<ApiKeyRecord & Record<string, unknown>>(
    `update api_keys set ${assignments}, scopes = $8 where instance_id = $1 and id = $2 returning ${apiKeyColumns}`,
    [instanceId, id, ...values, scopes],
  );
  return await noted(tx, instanceId, { kind: 'api_key', before, after: row as ApiKeyRecord, actor });
}

/** Likewise. */
export async function updateSmtpCredential(
  tx: Queryable,
  instanceId: number,
  { id: named, changes, actor }: Change,
): Promise<SmtpCredential> {
  const id = idOf(named);
  const [before] = await tx.query<SmtpCredential & Record<string, unknown>>(
    `select ${smtpColumns} from smtp_credentials
     where instance_id = $1 and id = $2 and revoked_at is null for update`,
    [instanceId, id],
  );
  if (!before) throw new Problem('smtp_credential_not_found');
  const wanted = { ...before, ...changes, stands_for: smtpScope };
  const values = await storable(tx, instanceId, { table: 'smtp_credentials', wanted, actor });
  const [row] = await tx.query<SmtpCredential & Record<string, unknown>>(
    `update smtp_credentials set ${assignments} where instance_id = $1 and id = $2 returning ${smtpColumns}`,
    [instanceId, id, ...values],
  );
  return await noted(tx, instanceId, {
    kind: 'smtp_credential',
    before,
    after: row as SmtpCredential,
    actor,
  });
}

const assignments = `name = $3, ip_allowlist = ${networks('$4')}, expires_at = $5, sandbox_only = $6, external_id = $7`;

interface Wanted extends Bounds {
  id: string;
  name: string;
  external_id: string | null;
}

/** The values of `assignments`: the credential as it is wanted, within the bounds of the key that changes it. */
async function storable(
  tx: Queryable,
  instanceId: number,
  { table, wanted, actor }: { table: 'api_keys' | 'smtp_credentials'; wanted: Wanted; actor: Actor },
): Promise<unknown[]> {
  const { id, name, external_id } = wanted;
  const { ip_allowlist, expires_at, sandbox_only } = await boundsWithin(tx, instanceId, { wanted, actor });
  await requireFreeExternalId(tx, instanceId, { table, external_id, of: id });
  return [name, ip_allowlist, expires_at, sandbox_only, external_id];
}

/** What differs is in the audit log, with the values that were stored. */
async function noted<Row extends { id: string }>(
  tx: Queryable,
  instanceId: number,
  { kind, before, after, actor }: { kind: string; before: object; after: Row; actor: Actor },
): Promise<Row> {
  const old = new Map(Object.entries(before));
  const different = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name)),
  );
  if (different.length === 0) return after;
  const details = Object.fromEntries(different);
  await auditOf(kind)(tx, instanceId, { action: 'updated', id: after.id, actor, details });
  return after;
}
