import type { Clock } from '../base/clock.ts';
import { createCache } from '../base/db/cache.ts';
import { Conditions } from '../base/db/conditions.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import { requireFreeExternalId } from '../base/db/external-id.ts';
import type { Notifications } from '../base/db/notifications.ts';
import { Problem } from '../base/errors/problem.ts';
import { selectPage, type PageOf } from '../base/http/pagination.ts';
import { hashToken, newToken, tokenMatches } from '../base/secrets.ts';
import { newKeyId } from './api-key.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { addressAllowed, type IpRange, networks, parseRange } from '../instances/index.ts';
import type { CredentialFilters } from './api-keys.ts';
import { boundsWithin, type Bounds } from './maker-bounds.ts';

const audit = auditOf('smtp_credential');

const prefix = 'chq-';

export interface SmtpCredential extends Bounds {
  id: string;
  external_id: string | null;
  username: string;
  name: string;
  created_at: Date;
  revoked_at: Date | null;
}

export interface NewSmtpCredential extends Partial<Bounds> {
  name: string;
  external_id?: string | null;
}

export const smtpColumns = `id, external_id, '${prefix}' || id as username, name, ip_allowlist::text[], sandbox_only, created_at,
  expires_at, revoked_at`;
/** What a credential is for: a key that cannot do it itself makes none. */
export const smtpScope = 'mail:send';

/** Only a hash of the password is stored; it is returned once. */
export async function createSmtpCredential(
  tx: Queryable,
  instanceId: number,
  { name, external_id = null, actor, ...bounds }: NewSmtpCredential & { actor: Actor },
): Promise<SmtpCredential & { password: string }> {
  const wanted = { ...bounds, stands_for: smtpScope };
  const { ip_allowlist, expires_at, sandbox_only } = await boundsWithin(tx, instanceId, { wanted, actor });
  await requireFreeExternalId(tx, instanceId, { table: 'smtp_credentials', external_id });
  const id = newKeyId();
  const password = newToken();
  const [row] = await tx.query<SmtpCredential & Record<string, unknown>>(
    `insert into smtp_credentials (id, instance_id, name, password_hash, ip_allowlist, expires_at, sandbox_only, external_id)
     values ($1, $2, $3, $4, ${networks('$5')}, $6, $7, $8) returning ${smtpColumns}`,
    [id, instanceId, name, hashToken(password), ip_allowlist, expires_at, sandbox_only, external_id],
  );
  await audit(tx, instanceId, {
    action: 'created',
    id,
    actor,
    details: { name, ip_allowlist, sandbox_only },
  });
  return { ...(row as SmtpCredential), password };
}

export async function listSmtpCredentials(
  db: Queryable,
  instanceId: number,
  filters: CredentialFilters,
): Promise<PageOf<SmtpCredential>> {
  const conditions = new Conditions()
    .where('instance_id = ?', instanceId)
    .where('external_id = ?', filters.external_id);
  return await selectPage<SmtpCredential & Record<string, unknown>>(
    db,
    {
      columns: smtpColumns,
      source: `from smtp_credentials where ${conditions.sql()}`,
      order_by: 'created_at, id',
      values: conditions.values,
      is_short: true,
    },
    filters,
  );
}

export async function getSmtpCredential(
  db: Queryable,
  instanceId: number,
  username: string,
): Promise<SmtpCredential> {
  const [row] = await db.query<SmtpCredential & Record<string, unknown>>(
    `select ${smtpColumns} from smtp_credentials where instance_id = $1 and id = $2`,
    [instanceId, idOf(username)],
  );
  if (!row) throw new Problem('smtp_credential_not_found');
  return row;
}

/** Of its user name, or of its id. */
export function idOf(username: string): string {
  return username.startsWith(prefix) ? username.slice(prefix.length) : username;
}

export async function revokeSmtpCredential(
  tx: Queryable,
  instanceId: number,
  { username, actor, now }: { username: string; actor: Actor; now: Date },
): Promise<SmtpCredential> {
  const id = idOf(username);
  const [row] = await tx.query<SmtpCredential & Record<string, unknown>>(
    `update smtp_credentials set revoked_at = coalesce(revoked_at, $3)
     where instance_id = $1 and id = $2 returning ${smtpColumns}`,
    [instanceId, id, now],
  );
  if (!row) throw new Problem('smtp_credential_not_found');
  // The time of the first revocation stays: a later one changed nothing.
  if (row.revoked_at?.getTime() === now.getTime())
    await audit(tx, instanceId, { action: 'revoked', id, actor });
  return row;
}

interface CredentialRow {
  id: string;
  password_hash: Buffer;
  instance_id: number;
  sandbox_only: boolean;
  expires_at: Date | null;
  own_ranges: string[];
  is_enabled: boolean;
  ranges: string[];
}

interface KnownCredential {
  row: CredentialRow;
  ranges: [IpRange[], IpRange[]];
}

const find: Statement = {
  name: 'credentials.find_smtp_credential',
  text: `
    select c.id, c.password_hash, c.instance_id, c.sandbox_only, c.expires_at, c.ip_allowlist::text[] as own_ranges,
      i.is_enabled, i.ip_allowlist::text[] as ranges
    from smtp_credentials c join instances i on i.id = c.instance_id where c.id = $1 and c.revoked_at is null`,
};

/** Throws `unauthorized` for any invalid credential, then `forbidden` and `ip_not_allowed`. */
export type AuthenticateSmtp = (login: {
  username: string;
  password: string;
  address: string;
}) => Promise<{ id: string; instance_id: number; sandbox_only: boolean }>;

const namePattern = new RegExp(`^${prefix}[a-z0-9]{16}$`);
const noHash = Buffer.alloc(32);

export function createSmtpAuthentication(
  db: Queryable,
  notifications: Notifications,
  clock: Clock,
): AuthenticateSmtp {
  const cache = createCache<string, KnownCredential | undefined>({
    load: async (id) => {
      const [row] = await db.query<CredentialRow>(find, [id]);
      return row && { row, ranges: [row.own_ranges.map(parseRange), row.ranges.map(parseRange)] };
    },
    ttl_ms: 5_000,
    max_entries: 10_000,
  });
  notifications.onGap(() => cache.clear());
  notifications.on('chasqui_changed', (payload) => {
    if (payload.startsWith('smtp_credentials ') || payload.startsWith('instances ')) cache.clear();
  });
  return async ({ username, password, address }) => {
    const known = namePattern.test(username) ? await cache.get(username.slice(prefix.length)) : undefined;
    const isGenuine = tokenMatches(password, known?.row.password_hash ?? noHash);
    if (!known || !isGenuine) throw new Problem('unauthorized');
    const { row, ranges } = known;
    if (row.expires_at !== null && row.expires_at <= clock.now()) throw new Problem('unauthorized');
    if (!row.is_enabled) throw new Problem('forbidden');
    if (!ranges.every((each) => addressAllowed(address, each))) throw new Problem('ip_not_allowed');
    return { id: row.id, instance_id: row.instance_id, sandbox_only: row.sandbox_only };
  };
}
