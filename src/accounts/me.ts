import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Me, MyChanges } from './session-schemas.ts';

/** The user with everything the panel shows before an instance is chosen. */
export async function getMe(db: Queryable, userId: number): Promise<Me> {
  const [row] = await db.query<Me>(
    `select json_build_object('id', u.id, 'email', u.email, 'name', u.name) as user, u.is_operator, u.language, u.theme, u.has_password,
       json_build_object('is_enabled', u.two_factor_enabled_at is not null, 'recovery_codes_left', (
         select count(*) from recovery_codes c where c.user_id = u.id and c.used_at is null
       )) as two_factor,
       coalesce((
         select json_agg(json_build_object('slug', i.slug, 'name', i.name, 'role', m.role, 'timezone', i.timezone,
           'is_enabled', i.is_enabled) order by i.name, i.slug)
         from memberships m join instances i on i.id = m.instance_id where m.user_id = u.id
       ), '[]') as instances
     from users u where u.id = $1`,
    [userId],
  );
  // The account was deleted after the caller was let in.
  if (!row) throw new Problem('unauthorized');
  return row;
}

/** What is left out stays. */
export async function updateMe(db: Queryable, userId: number, changes: MyChanges): Promise<void> {
  const { name, language, theme } = changes;
  await db.query(
    `update users set name = coalesce($2, name), language = case when $3 then $4 else language end,
       theme = coalesce($5, theme), updated_at = now()
     where id = $1`,
    [userId, name?.trim() ?? null, language !== undefined, language ?? null, theme ?? null],
  );
}
