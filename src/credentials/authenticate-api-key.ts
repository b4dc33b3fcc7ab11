import type { Caller, Credentials, Scope } from '../base/http/access.ts';
import { createCache, type Cache } from '../base/db/cache.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import type { Clock } from '../base/clock.ts';
import { Problem } from '../base/errors/problem.ts';
import { tokenMatches } from '../base/secrets.ts';
import { parseApiKey } from './api-key.ts';
import { addressAllowed, type IpRange, parseRange } from '../instances/index.ts';

interface KeyRow {
  id: string;
  token_hash: Buffer;
  scopes: string[];
  sandbox_only: boolean;
  key_ranges: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
  instance_id: number;
  slug: string;
  timezone: string;
  retention_months: number;
  is_enabled: boolean;
  instance_ranges: string[];
}

interface KnownKey {
  row: KeyRow;
  scopes: ReadonlySet<string>;
  ranges: [IpRange[], IpRange[]];
  caller: Caller;
}

const findKey: Statement = {
  name: 'credentials.find_api_key',
  text: `
    select k.id, k.token_hash, k.scopes, k.sandbox_only, k.ip_allowlist::text[] as key_ranges, k.expires_at, k.revoked_at,
           i.id as instance_id, i.slug, i.timezone, i.retention_months, i.is_enabled, i.ip_allowlist::text[] as instance_ranges
    from api_keys k join instances i on i.id = k.instance_id
    where k.id = $1`,
};

/** Compared with when the key does not exist, so that both cases take the same time. */
const noHash = Buffer.alloc(32);

export interface ApiKeyAuthentication {
  /** Any key will do where no scope is asked for. */
  authenticate(credentials: Credentials, scope?: Scope): Promise<Caller>;
}

/**
 * Keys are cached with their instance. Changes are notified at once and, if the notification is lost, noticed within
 * `ttl_ms`.
 */
export function createApiKeyAuthentication(
  db: Queryable,
  notifications: Notifications,
  {
    clock,
    on_use,
  }: {
    clock: Clock;
    /** Called for each request that is let in. */
    on_use?: (keyId: string) => void;
  },
): ApiKeyAuthentication {
  const keys: Cache<string, KnownKey | undefined> = createCache({
    load: async (id: string) => await loadKey(db, id),
    ttl_ms: 5_000,
    max_entries: 10_000,
  });
  notifications.onGap(() => keys.clear());
  notifications.on('chasqui_changed', (payload) => {
    const [table, id = ''] = payload.split(' ');
    if (table === 'api_keys') keys.forget(id);
    if (table === 'instances') keys.clear();
  });

  return {
    async authenticate(credentials, scope) {
      const parts = parseApiKey(bearerOf(credentials.authorization));
      const key = parts && (await keys.get(parts.id));
      const genuine = tokenMatches(parts?.token ?? '', key?.row.token_hash ?? noHash);
      if (!key || !genuine || !isUsable(key.row, credentials, clock)) throw new Problem('unauthorized');
      const isAllowed = scope === undefined || key.scopes.has(scope);
      if (!key.row.is_enabled || !isAllowed) throw new Problem('forbidden');
      if (!key.ranges.every((ranges) => addressAllowed(credentials.address, ranges))) {
        throw new Problem('ip_not_allowed');
      }
      on_use?.(key.row.id);
      return key.caller;
    },
  };
}

/**
 * A slug is compared with the key's own and never looked up, so that other slugs cannot be probed. Without one the key says
 * which instance it is (contract §5).
 */
function isUsable(row: KeyRow, credentials: Credentials, clock: Clock): boolean {
  const expired = row.expires_at !== null && row.expires_at <= clock.now();
  const isNamed = (credentials.instance_slug ?? row.slug) === row.slug;
  return row.revoked_at === null && !expired && isNamed;
}

export function bearerOf(authorization: string | undefined): string {
  const match = /^Bearer +([^\s]+) *$/i.exec(authorization ?? '');
  return match?.[1] ?? '';
}

async function loadKey(db: Queryable, id: string): Promise<KnownKey | undefined> {
  const [row] = await db.query<KeyRow>(findKey, [id]);
  if (!row) return undefined;
  const scopes = new Set(row.scopes);
  return {
    row,
    scopes,
    ranges: [row.key_ranges.map(parseRange), row.instance_ranges.map(parseRange)],
    caller: {
      instance: {
        id: row.instance_id,
        slug: row.slug,
        timezone: row.timezone,
        retention_months: row.retention_months,
      },
      actor: { kind: 'api_key', id: row.id, scopes, sandbox_only: row.sandbox_only },
    },
  };
}
