import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import type { Credentials, OperatorCaller } from '../base/http/access.ts';
import { hashToken, tokenMatches } from '../base/secrets.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { addressAllowed, networks, parseRange, validateRanges } from '../instances/index.ts';
import { formatOperatorKey, newApiKey, parseOperatorKey } from './api-key.ts';
import { bearerOf } from './authenticate-api-key.ts';

const audit = auditOf('operator_key');

export interface OperatorKeyRecord {
  id: string;
  name: string;
  /** Addresses or ranges it may be used from; empty: any. */
  ip_allowlist: string[];
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
}

interface NewOperatorKey extends Pick<OperatorKeyRecord, 'name' | 'ip_allowlist' | 'expires_at'> {
  actor: Actor;
}

const columns = `id, name, ip_allowlist::text[], created_at, expires_at, revoked_at`;

/** Only a hash of the token is stored; the key is returned once. */
export async function createOperatorKey(
  tx: Queryable,
  { name, ip_allowlist, expires_at, actor }: NewOperatorKey,
): Promise<OperatorKeyRecord & { operator_key: string }> {
  const violations = validateRanges(ip_allowlist);
  if (violations.length > 0) throw validationProblem(violations);
  const parts = newApiKey();
  const [row] = await tx.query<OperatorKeyRecord & Record<string, unknown>>(
    `insert into operator_keys (id, name, token_hash, ip_allowlist, expires_at)
     values ($1, $2, $3, ${networks('$4')}, $5) returning ${columns}`,
    [parts.id, name, hashToken(parts.token), ip_allowlist, expires_at],
  );
  await audit(tx, null, {
    action: 'created',
    id: parts.id,
    actor,
    details: { name, ip_allowlist, expires_at },
  });
  return { ...(row as OperatorKeyRecord), operator_key: formatOperatorKey(parts) };
}

/** Revoked ones too, in the order of their creation. */
export async function listOperatorKeys(db: Queryable): Promise<OperatorKeyRecord[]> {
  return await db.query<OperatorKeyRecord & Record<string, unknown>>(
    `select ${columns} from operator_keys order by created_at, id`,
  );
}

/** Idempotent. It is refused from the commit on, by every node. */
export async function revokeOperatorKey(
  tx: Queryable,
  { id, actor, now }: { id: string; actor: Actor; now: Date },
): Promise<OperatorKeyRecord> {
  const [before] = await tx.query<{ revoked_at: Date | null }>(
    'select revoked_at from operator_keys where id = $1 for update',
    [id],
  );
  if (!before) throw new Problem('api_key_not_found', { detail: 'There is no such operator key.' });
  const [row] = await tx.query<OperatorKeyRecord & Record<string, unknown>>(
    `update operator_keys set revoked_at = coalesce(revoked_at, $2) where id = $1 returning ${columns}`,
    [id, now],
  );
  if (before.revoked_at === null) await audit(tx, null, { action: 'revoked', id, actor });
  return row as OperatorKeyRecord;
}

interface KeyRow extends OperatorKeyRecord {
  token_hash: Buffer;
}

/** Compared with when the key does not exist, so that both cases take the same time. */
const noHash = Buffer.alloc(32);

/** Whether what is presented is an operator key, genuine or not: an access token has another form. */
export function isOperatorKey({ authorization }: Credentials): boolean {
  return parseOperatorKey(bearerOf(authorization)) !== undefined;
}

/** Not cached: operators call seldom, and a revocation takes effect on the next request. */
export async function authenticateOperatorKey(
  db: Queryable,
  clock: Clock,
  { authorization, address }: Credentials,
): Promise<OperatorCaller> {
  const parts = parseOperatorKey(bearerOf(authorization));
  const [key] = await db.query<KeyRow & Record<string, unknown>>(
    `select ${columns}, token_hash from operator_keys where id = $1`,
    [parts?.id ?? ''],
  );
  const isGenuine = tokenMatches(parts?.token ?? '', key?.token_hash ?? noHash);
  const isOver = (key?.expires_at ?? null) !== null && (key?.expires_at as Date) <= clock.now();
  if (!key || !isGenuine || isOver || key.revoked_at !== null) throw new Problem('unauthorized');
  if (!addressAllowed(address, key.ip_allowlist.map(parseRange))) throw new Problem('ip_not_allowed');
  return { actor: { kind: 'operator', id: key.id } };
}
