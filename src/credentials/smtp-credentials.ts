import { createCache } from '../base/db/cache.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import { Problem } from '../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { hashToken, newToken, tokenMatches } from '../base/secrets.ts';
import { newKeyId } from './api-key.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { addressAllowed, type IpRange, parseRange } from '../instances/index.ts';

const audit = auditOf('smtp_credential');

const prefix = 'chq-';

export interface SmtpCredential {
  id: string;
  username: string;
  name: string;
  created_at: Date;
  revoked_at: Date | null;
}

const columns = `id, '${prefix}' || id as username, name, created_at, revoked_at`;

/** Only a hash of the password is stored; it is returned once. */
export async function createSmtpCredential(
  tx: Queryable,
  instanceId: number,
  { name, actor }: { name: string; actor: Actor },
): Promise<SmtpCredential & { password: string }> {
  const id = newKeyId();
  const password = newToken();
  const [row] = await tx.query<SmtpCredential>(
    `insert into smtp_credentials (id, instance_id, name, password_hash) values ($1, $2, $3, $4) returning ${columns}`,
    [id, instanceId, name, hashToken(password)],
  );
  await audit(tx, instanceId, { action: 'created', id, actor });
  return { ...(row as SmtpCredential), password };
}

export async function listSmtpCredentials(
  db: Queryable,
  instanceId: number,
  request: PageRequest,
): Promise<PageOf<SmtpCredential>> {
  return await selectPage<SmtpCredential>(
    db,
    {
      columns,
      source: 'from smtp_credentials where instance_id = $1',
      order_by: 'created_at, id',
      values: [instanceId],
      is_short: true,
    },
    request,
  );
}

export async function revokeSmtpCredential(
  tx: Queryable,
  instanceId: number,
  { username, actor, now }: { username: string; actor: Actor; now: Date },
): Promise<SmtpCredential> {
  const id = username.startsWith(prefix) ? username.slice(prefix.length) : username;
  const [row] = await tx.query<SmtpCredential>(
    `update smtp_credentials set revoked_at = coalesce(revoked_at, $3)
     where instance_id = $1 and id = $2 returning ${columns}`,
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
  is_enabled: boolean;
  ranges: string[];
}

interface KnownCredential {
  row: CredentialRow;
  ranges: IpRange[];
}

const find: Statement = {
  name: 'credentials.find_smtp_credential',
  text: `
    select c.id, c.password_hash, c.instance_id, i.is_enabled, i.ip_allowlist::text[] as ranges
    from smtp_credentials c join instances i on i.id = c.instance_id where c.id = $1 and c.revoked_at is null`,
};

/** Throws `unauthorized` for any invalid credential, then `forbidden` and `ip_not_allowed`. */
export type AuthenticateSmtp = (login: {
  username: string;
  password: string;
  address: string;
}) => Promise<{ id: string; instance_id: number }>;

const name_pattern = new RegExp(`^${prefix}[a-z0-9]{16}$`);
const no_hash = Buffer.alloc(32);

export function createSmtpAuthentication(db: Queryable, notifications: Notifications): AuthenticateSmtp {
  const cache = createCache<string, KnownCredential | undefined>({
    load: async (id) => {
      const [row] = await db.query<CredentialRow>(find, [id]);
      return row && { row, ranges: row.ranges.map(parseRange) };
    },
    ttl_ms: 5_000,
    max_entries: 10_000,
  });
  notifications.onGap(() => cache.clear());
  notifications.on('chasqui_changed', (payload) => {
    if (payload.startsWith('smtp_credentials ') || payload.startsWith('instances ')) cache.clear();
  });
  return async ({ username, password, address }) => {
    const known = name_pattern.test(username) ? await cache.get(username.slice(prefix.length)) : undefined;
    const isGenuine = tokenMatches(password, known?.row.password_hash ?? no_hash);
    if (!known || !isGenuine) throw new Problem('unauthorized');
    const { row, ranges } = known;
    if (!row.is_enabled) throw new Problem('forbidden');
    if (!addressAllowed(address, ranges)) throw new Problem('ip_not_allowed');
    return { id: row.id, instance_id: row.instance_id };
  };
}
