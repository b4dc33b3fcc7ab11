import { scopes as allScopes, type Scope } from '../base/http/access.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem, type Violation } from '../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { hashToken } from '../base/secrets.ts';
import { formatApiKey, newApiKey } from './api-key.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { validateRanges, networks } from '../instances/index.ts';

const audit = auditOf('api_key');

export interface NewApiKey {
  name: string;
  scopes: string[];
  ip_allowlist: string[];
  expires_at?: Date | null;
  /** Whatever it is asked to send, only sandbox recipients are written to. */
  sandbox_only?: boolean;
}

export interface ApiKeyRecord {
  id: string;
  name: string;
  scopes: Scope[];
  ip_allowlist: string[];
  sandbox_only: boolean;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
}

const columns = 'id, name, scopes, ip_allowlist::text[], sandbox_only, created_at, expires_at, revoked_at';

/** Only a hash of the token is stored; the key is returned once. */
export async function createApiKey(
  tx: Queryable,
  instanceId: number,
  { key: wanted, actor }: { key: NewApiKey; actor: Actor },
): Promise<ApiKeyRecord & { api_key: string }> {
  if (wanted.scopes.length === 0) throw new Problem('api_key_scope_required');
  const violations = [...validateScopes(wanted.scopes), ...validateRanges(wanted.ip_allowlist)];
  if (violations.length > 0) throw validationProblem(violations);
  const { sandbox_only = false } = wanted;
  const parts = newApiKey();
  const [row] = await tx.query<ApiKeyRecord>(
    `insert into api_keys (id, instance_id, name, token_hash, scopes, ip_allowlist, expires_at, sandbox_only)
     values ($1, $2, $3, $4, $5, ${networks('$6')}, $7, $8) returning ${columns}`,
    [
      parts.id,
      instanceId,
      wanted.name,
      hashToken(parts.token),
      [...new Set(wanted.scopes)],
      wanted.ip_allowlist,
      wanted.expires_at ?? null,
      sandbox_only,
    ],
  );
  await audit(tx, instanceId, {
    action: 'created',
    id: parts.id,
    actor,
    details: { name: wanted.name, scopes: wanted.scopes, ip_allowlist: wanted.ip_allowlist, sandbox_only },
  });
  return { ...(row as ApiKeyRecord), api_key: formatApiKey(parts) };
}

export async function listApiKeys(
  db: Queryable,
  instanceId: number,
  request: PageRequest,
): Promise<PageOf<ApiKeyRecord>> {
  return await selectPage<ApiKeyRecord>(
    db,
    {
      columns,
      source: 'from api_keys where instance_id = $1',
      order_by: 'created_at, id',
      values: [instanceId],
      is_short: true,
    },
    request,
  );
}

/** Idempotent. All nodes refuse the key once this is committed. */
export async function revokeApiKey(
  tx: Queryable,
  instanceId: number,
  { id, actor, now }: { id: string; actor: Actor; now: Date },
): Promise<ApiKeyRecord> {
  const [row] = await tx.query<ApiKeyRecord>(
    `update api_keys set revoked_at = coalesce(revoked_at, $3)
     where instance_id = $1 and id = $2 returning ${columns}`,
    [instanceId, id, now],
  );
  if (!row) throw new Problem('api_key_not_found');
  // The time of the first revocation stays: a later one changed nothing.
  if (row.revoked_at?.getTime() === now.getTime())
    await audit(tx, instanceId, { action: 'revoked', id, actor });
  return row;
}

function validateScopes(scopes: string[]): Violation[] {
  return scopes.flatMap((scope, index) =>
    (allScopes as readonly string[]).includes(scope)
      ? []
      : [
          {
            pointer: `/scopes/${index}`,
            code: 'enum',
            message: `'${scope}' is no scope. Scopes are ${allScopes.join(', ')}`,
            params: { expected: [...allScopes] },
          },
        ],
  );
}
