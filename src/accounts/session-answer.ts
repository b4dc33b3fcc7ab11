import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { Reply } from '../base/http/operation.ts';
import type { RootSecret } from '../base/secrets.ts';
import { hasSecondFactor } from '../instances/index.ts';
import { createAccessTokens } from './access-token.ts';
import { refreshCookies } from './refresh-cookie.ts';
import type { PanelSession } from './session-schemas.ts';
import { secondsLeft, type OpenSession } from './sessions.ts';

export type SessionAnswer = (opened: OpenSession) => Promise<Reply<PanelSession>>;

interface Context {
  db: Queryable;
  secret: RootSecret;
  clock: Clock;
  /** With https the cookie is `Secure`. */
  base_url: string;
}

/** What every way to sign in answers with: an access token, and a refresh token in its cookie. */
export function createSessionAnswer({ db, secret, clock, base_url }: Context): SessionAnswer {
  const tokens = createAccessTokens(secret, clock);
  return async ({ id, user_id, expires_at, refresh_token }) => {
    const access = await tokens.issue({ user_id, session_id: id }, expires_at);
    const body: PanelSession = { ...access, token_type: 'Bearer', ...(await describeUser(db, user_id)) };
    if (refresh_token === undefined) return new Reply(body, {});
    const max_age_seconds = secondsLeft(expires_at, clock.now());
    return new Reply(body, {
      'set-cookie': refreshCookies(base_url, { value: refresh_token, max_age_seconds }),
    });
  };
}

async function describeUser(
  db: Queryable,
  userId: number,
): Promise<Pick<PanelSession, 'user' | 'instances'>> {
  const [row] = await db.query<Pick<PanelSession, 'user' | 'instances'>>(
    `select json_build_object('id', u.id, 'email', u.email, 'name', u.name) as user, coalesce((
       select json_agg(json_build_object('slug', i.slug, 'name', i.name, 'role', m.role,
         'needs_second_factor', i.requires_second_factor and not ${hasSecondFactor('u')}) order by i.name, i.slug)
       from memberships m join instances i on i.id = m.instance_id where m.user_id = u.id
     ), '[]') as instances
     from users u where u.id = $1`,
    [userId],
  );
  if (!row) throw new Problem('unauthorized');
  return row;
}
