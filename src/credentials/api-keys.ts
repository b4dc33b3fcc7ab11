import { scopes as allScopes, type Scope } from '../base/http/access.ts';
import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { requireFreeExternalId } from '../base/db/external-id.ts';
import { Problem, validationProblem, type Violation } from '../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { hashToken } from '../base/secrets.ts';
import { formatApiKey, newApiKey } from './api-key.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { validateRanges, networks } from '../instances/index.ts';
import { boundsWithin, type Bounds } from './maker-bounds.ts';

const audit = auditOf('api_key');

export interface NewApiKey {
  name: string;
  scopes: string[];
  ip_allowlist: string[];
  expires_at?: Date | null;
  /** Whatever it is asked to send, only sandbox recipients are written to. */
  sandbox_only?: boolean;
  external_id?: string | null;
}

export interface ApiKeyRecord extends Bounds {
  id: string;
  external_id: string | null;
  name: string;
  scopes: Scope[];
  created_at: Date;
  revoked_at: Date | null;
  /** At most half a minute late. */
  last_used_at: Date | null;
}

export const apiKeyColumns = `id, external_id, name, scopes, ip_allowlist::text[], sandbox_only, created_at, expires_at, revoked_at,
  (select u.last_used_at from api_key_uses u where u.key_id = api_keys.id) as last_used_at`;

/** Only a hash of the token is stored; the key is returned once. A key that makes another gives it no more than it has. */
export async function createApiKey(
  tx: Queryable,
  instanceId: number,
  { key: wanted, actor }: { key: NewApiKey; actor: Actor },
): Promise<ApiKeyRecord & { api_key: string }> {
  const { name, external_id = null } = wanted;
  const scopes = [...new Set(wanted.scopes)];
  if (scopes.length === 0) throw new Problem('api_key_scope_required');
  const violations = [...validateScopes(wanted.scopes), ...validateRanges(wanted.ip_allowlist)];
  if (violations.length > 0) throw validationProblem(violations);
  const { ip_allowlist, expires_at, sandbox_only } = await boundsWithin(tx, instanceId, { wanted, actor });
  await requireFreeExternalId(tx, instanceId, { table: 'api_keys', external_id });
  const parts = newApiKey();
  const [row] = await tx.query<ApiKeyRecord & Record<string, unknown>>(
    `insert into api_keys (id, instance_id, name, token_hash, scopes, ip_allowlist, expires_at, sandbox_only, external_id)
     values ($1, $2, $3, $4, $5, ${networks('$6')}, $7, $8, $9) returning ${apiKeyColumns}`,
    [
      parts.id,
      instanceId,
      name,
      hashToken(parts.token),
      scopes,
      ip_allowlist,
      expires_at,
      sandbox_only,
      external_id,
    ],
  );
  await audit(tx, instanceId, {
    action: 'created',
    id: parts.id,
    actor,
    details: { name, scopes: wanted.scopes, ip_allowlist, sandbox_only },
  });
  return { ...(row as ApiKeyRecord), api_key: formatApiKey(parts) };
}

export interface CredentialFilters extends PageRequest {
  external_id?: string | null;
}

export async function listApiKeys(
  db: Queryable,
  instanceId: number,
  filters: CredentialFilters,
): Promise<PageOf<ApiKeyRecord>> {
  const conditions = new Conditions()
    .where('instance_id = ?', instanceId)
    .where('external_id = ?', filters.external_id);
  return await selectPage<ApiKeyRecord & Record<string, unknown>>(
    db,
    {
      columns: apiKeyColumns,
      source: `from api_keys where ${conditions.sql()}`,
      order_by: 'created_at, id',
      values: conditions.values,
      is_short: true,
    },
    filters,
  );
}

export async function getApiKey(db: Queryable, instanceId: number, id: string): Promise<ApiKeyRecord> {
  const [row] = await db.query<ApiKeyRecord & Record<string, unknown>>(
    `select ${apiKeyColumns} from api_keys where instance_id = $1 and id = $2`,
    [instanceId, id],
  );
  if (!row) throw new Problem('api_key_not_found');
  return row;
}

/** Idempotent. All nodes refuse the key once this is committed. */
export async function revokeApiKey(
  tx: Queryable,
  instanceId: number,
  { id, actor, now }: { id: string; actor: Actor; now: Date },
): Promise<ApiKeyRecord> {
  const [row] = await tx.query<ApiKeyRecord & Record<string, unknown>>(
    `update api_keys set revoked_at = coalesce(revoked_at, $3)
     where instance_id = $1 and id = $2 returning ${apiKeyColumns}`,
    [instanceId, id, now],
  );
  if (!row) throw new Problem('api_key_not_found');
  // The time of the first revocation stays: a later one changed nothing.
  if (row.revoked_at?.getTime() === now.getTime())
    await audit(tx, instanceId, { action: 'revoked', id, actor });
  return row;
}

export function validateScopes(scopes: string[]): Violation[] {
  return scopes.flatMap((scope, index) =>
    (allScopes as readonly string[]).includes(scope)
      ? []
      : [
          {
            pointer: `/scopes/${index}`,
            code: 'enum',
            message: `'${scope}' is not a scope. Scopes are ${allScopes.join(', ')}`,
            params: { expected: [...allScopes] },
          },
        ],
  );
}
