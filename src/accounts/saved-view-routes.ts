import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { Caller } from '../base/http/access.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { Id } from '../base/http/schemas.ts';
import { listName, maxViews, NewSavedView, SavedView, savedViewExample } from './saved-view-schemas.ts';
import { deleteSavedView, listSavedViews, saveView, type ViewOwner } from './saved-views.ts';

const tag = 'Panel access';
const path = '/v1/private/saved-views' as const;
const access = { kind: 'user', role: 'viewer' } as const;
const ownerOf = ({ instance, actor }: Caller): ViewOwner => ({
  instance_id: instance.id,
  user_id: Number(actor.id),
});

/** Filters of lists that a person keeps under a name. They are the person's own, whatever their role. */
export function savedViewRoutes({ db, clock }: { db: Database; clock: Clock }): Operation[] {
  return [
    operation({
      id: 'panel_list_saved_views',
      method: 'GET',
      path,
      tag,
      summary: 'List the own views of a list',
      description: 'By name.',
      access,
      query: Type.Object({ list: listName }),
      success: {
        status: 200,
        description: 'The views.',
        schema: Type.Object({ data: Type.Array(SavedView) }),
        example: { data: [savedViewExample] },
      },
      errors: [],
      handle: async ({ caller, query }) => ({ data: await listSavedViews(db, ownerOf(caller), query.list) }),
    }),
    operation({
      id: 'panel_save_view',
      method: 'POST',
      path,
      tag,
      summary: 'Save a view of a list',
      description: `Its filters under a name. One of the same name is replaced. At most ${maxViews} for a person in an instance.`,
      access,
      body: NewSavedView,
      body_example: {
        list: savedViewExample.list,
        name: savedViewExample.name,
        search: savedViewExample.search,
      },
      success: { status: 200, description: 'The view.', schema: SavedView, example: savedViewExample },
      errors: ['saved_view_limit_reached'],
      handle: async ({ caller, body }) =>
        await db.transaction(
          async (tx) => await saveView(tx, ownerOf(caller), { view: body, now: clock.now() }),
        ),
    }),
    operation({
      id: 'panel_delete_saved_view',
      method: 'DELETE',
      path: '/v1/private/saved-views/{id}',
      tag,
      summary: 'Delete a view',
      description: 'One of your own.',
      access,
      params: Type.Object({ id: Id('Identifier of the view.') }),
      success: { status: 204, description: 'Deleted.' },
      errors: ['saved_view_not_found'],
      handle: async ({ caller, params }) => await deleteSavedView(db, ownerOf(caller), params.id),
    }),
  ];
}
