import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem, type Violation } from '../base/errors/problem.ts';
import { maxViews, type NewSavedView, type SavedView } from './saved-view-schemas.ts';

/** Whose views: a person in an instance. */
export interface ViewOwner {
  instance_id: number;
  user_id: number;
}

const columns = 'id, list, name, search, created_at';

/** Filters that say who a mail is to, or which one it is: a view keeps none. */
const personal = new Set([
  'recipient',
  'contact',
  'search',
  'mail_id',
  'msg_id',
  'custom_msg_id',
  'actor_id',
  'object_id',
  'open',
  'page',
]);

const filterName = /^[a-z_]{1,40}$/;

/** By name. */
export async function listSavedViews(
  db: Queryable,
  { instance_id, user_id }: ViewOwner,
  list: string,
): Promise<SavedView[]> {
  return await db.query<SavedView>(
    `select ${columns} from saved_views where instance_id = $1 and user_id = $2 and list = $3
     order by name limit ${maxViews}`,
    [instance_id, user_id, list],
  );
}

/** One of the same name is replaced. */
export async function saveView(
  tx: Queryable,
  { instance_id, user_id }: ViewOwner,
  { view, now }: { view: NewSavedView; now: Date },
): Promise<SavedView> {
  const violations = violationsOf(view.search);
  if (violations.length > 0) throw validationProblem(violations);
  // Two at once: the second one counts after the first.
  await tx.query('select from memberships where instance_id = $1 and user_id = $2 for no key update', [
    instance_id,
    user_id,
  ]);
  const name = view.name.trim();
  const [row] = await tx.query<SavedView>(
    `insert into saved_views (instance_id, user_id, list, name, search, created_at)
     select $1, $2, $3, $4, $5, $6
     where (select count(*) from saved_views where instance_id = $1 and user_id = $2 and name <> $4) < $7
     on conflict (instance_id, user_id, list, name) do update set search = excluded.search
     returning ${columns}`,
    [instance_id, user_id, view.list, name, JSON.stringify(view.search), now, maxViews],
  );
  if (!row) throw new Problem('saved_view_limit_reached');
  return row;
}

export async function deleteSavedView(
  db: Queryable,
  { instance_id, user_id }: ViewOwner,
  id: number,
): Promise<void> {
  const rows = await db.query(
    'delete from saved_views where instance_id = $1 and user_id = $2 and id = $3 returning id',
    [instance_id, user_id, id],
  );
  if (rows.length === 0) throw new Problem('saved_view_not_found');
}

function violationsOf(search: Record<string, string>): Violation[] {
  return Object.entries(search).flatMap(([name, value]) => {
    const namesPerson = personal.has(name) || value.includes('@');
    const message = !filterName.test(name)
      ? 'This is not the name of a filter'
      : namesPerson
        ? 'A view keeps no filter that names a person or one mail'
        : undefined;
    return message === undefined ? [] : [{ pointer: `/search/${name}`, code: 'value_error.filter', message }];
  });
}
