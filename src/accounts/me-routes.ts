import type { Queryable } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { getMe, updateMe } from './me.ts';
import { Me, meExample, MyChanges } from './session-schemas.ts';

const tag = 'Panel access';
const path = '/v1/private/me';
const access = { kind: 'account' } as const;
const success = { status: 200, description: 'The user.', schema: Me, example: meExample } as const;

/** Who is signed in; no slug is needed, and one that is sent does not matter. */
export function meRoutes({ db }: { db: Queryable }): Operation[] {
  return [
    operation({
      id: 'panel_get_me',
      method: 'GET',
      path,
      tag,
      summary: 'Who is signed in',
      description:
        'The user, what they prefer, and the instances where they are a member with the role they have there now. Needs no `X-Instance-Slug`.',
      access,
      success,
      errors: [],
      handle: async ({ caller }) => await getMe(db, caller.actor.id),
    }),
    operation({
      id: 'panel_update_me',
      method: 'PATCH',
      path,
      tag,
      summary: 'Change the own name, language or theme',
      description: 'What is left out stays. A language of null is the one the browser asks for.',
      access,
      body: MyChanges,
      body_example: { language: 'es', theme: 'dark' },
      success,
      errors: [],
      handle: async ({ caller, body }) => {
        await updateMe(db, caller.actor.id, body);
        return await getMe(db, caller.actor.id);
      },
    }),
  ];
}
