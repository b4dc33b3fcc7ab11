import type { Clock } from '../base/clock.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import {
  isAtLeast,
  type AccountCaller,
  type Caller,
  type Credentials,
  type Demand,
  type Role,
} from '../base/http/access.ts';
import type { RootSecret } from '../base/secrets.ts';
import { createAccessTokens } from './access-token.ts';
import { bearerOf } from '../credentials/index.ts';
import { addressAllowed, hasSecondFactor, parseRange } from '../instances/index.ts';

interface AccessRow {
  user_id: number;
  /** This and the following are null when the user is not a member of an instance with that slug. */
  role: Role | null;
  instance_id: number;
  slug: string;
  timezone: string;
  retention_months: number;
  ranges: string[];
  is_enabled: boolean;
  /** The instance demands one of its members. */
  lacks_second_factor: boolean;
}

/**
 * Session, membership and instance in one query, so that an unknown slug costs the same as another's (contract §5).
 * Not cached: a sign-out or a changed role takes effect on the next request.
 */
const findAccess: Statement = {
  name: 'accounts.find_user_access',
  text: `
    select s.user_id, m.role, m.instance_id, m.slug, m.timezone, m.retention_months, m.ranges, m.is_enabled,
      m.lacks_second_factor
    from sessions s left join (
      select m.user_id, m.role, i.id as instance_id, i.slug, i.timezone, i.retention_months, i.is_enabled,
        i.ip_allowlist::text[] as ranges,
        i.requires_second_factor and not ${hasSecondFactor('u')} as lacks_second_factor
      from memberships m join instances i on i.id = m.instance_id join users u on u.id = m.user_id
      where i.slug = $3
    ) m on m.user_id = s.user_id
    where s.id = $1 and s.user_id = $2 and s.revoked_at is null and s.expires_at > $4`,
};

const findAccount: Statement = {
  name: 'accounts.find_account',
  text: `
    select u.id, u.is_operator from sessions s join users u on u.id = s.user_id
    where s.id = $1 and s.user_id = $2 and s.revoked_at is null and s.expires_at > $3`,
};

type MemberDemand = Omit<Extract<Demand, { kind: 'user' }>, 'kind'>;

export interface UserAuthentication {
  authenticate(credentials: Credentials, demand: MemberDemand): Promise<Caller>;
  /** Any signed-in user, with any slug; only operators for operators' operations. */
  authenticateAccount(credentials: Credentials, kind: 'account' | 'operator'): Promise<AccountCaller>;
}

/**
 * Authenticates access tokens. A disabled instance is read-only for its members, who can see why it is disabled and
 * export its data; API keys may not use it at all (contract §5).
 */
export function createUserAuthentication(context: {
  db: Queryable;
  secret: RootSecret;
  clock: Clock;
}): UserAuthentication {
  const { db, clock } = context;
  const tokens = createAccessTokens(context.secret, clock);
  return {
    async authenticate({ authorization, instance_slug = '', address }, { role, changes }) {
      const claims = await tokens.read(bearerOf(authorization));
      if (!claims) throw new Problem('unauthorized');
      const values = [claims.session_id, claims.user_id, instance_slug, clock.now()];
      const [row] = await db.query<AccessRow>(findAccess, values);
      if (!row) throw new Problem('unauthorized');
      if (row.role === null || !isAtLeast(row.role, role)) throw new Problem('forbidden');
      if (!addressAllowed(address, row.ranges.map(parseRange))) throw new Problem('ip_not_allowed');
      if (row.lacks_second_factor) throw new Problem('second_factor_setup_required');
      if (changes && !row.is_enabled) throw new Problem('instance_disabled');
      return {
        instance: {
          id: row.instance_id,
          slug: row.slug,
          timezone: row.timezone,
          retention_months: row.retention_months,
        },
        actor: { kind: 'user', id: row.user_id, session_id: claims.session_id, role: row.role },
      };
    },
    async authenticateAccount({ authorization }, kind) {
      const claims = await tokens.read(bearerOf(authorization));
      if (!claims) throw new Problem('unauthorized');
      const { session_id, user_id } = claims;
      const values = [session_id, user_id, clock.now()];
      const [row] = await db.query<{ id: number; is_operator: boolean }>(findAccount, values);
      if (!row) throw new Problem('unauthorized');
      if (kind === 'operator' && !row.is_operator) throw new Problem('forbidden');
      return { actor: { kind: 'user', id: row.id, session_id } };
    },
  };
}
