import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { AccountSession, accountSessionExample } from './account-schemas.ts';
import { endOtherSessions, endSessionOf, listSessions } from './account-sessions.ts';
import { recordAct } from './sign-in.ts';

const tag = 'Account';
const path = '/v1/private/account/sessions' as const;
const access = { kind: 'account' } as const;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Where the user is signed in. */
export function sessionPanelRoutes({ db, clock }: { db: Database; clock: Clock }): Operation[] {
  return [
    operation({
      id: 'panel_list_sessions',
      method: 'GET',
      path,
      tag,
      summary: 'List the own sessions',
      description: 'Those that have not ended, the last used first.',
      access,
      success: {
        status: 200,
        description: 'The sessions.',
        schema: Type.Object({ data: Type.Array(AccountSession) }),
        example: { data: [accountSessionExample] },
      },
      errors: [],
      handle: async ({ caller: { actor } }) => ({
        data: await listSessions(db, actor.id, { current: actor.session_id, now: clock.now() }),
      }),
    }),
    operation({
      id: 'panel_end_session',
      method: 'DELETE',
      path: `${path}/{id}`,
      tag,
      summary: 'End a session',
      description: 'Its access tokens are refused from now on, by every node.',
      access,
      params: Type.Object({ id: Type.String({ description: 'Identifier of the session.' }) }),
      success: { status: 204, description: 'Ended.' },
      errors: ['session_not_found'],
      handle: async ({ caller: { actor }, params: { id }, address }) => {
        if (!uuid.test(id)) throw new Problem('session_not_found');
        await db.transaction(async (tx) => {
          await endSessionOf(tx, actor.id, { id, now: clock.now() });
          await recordAct(tx, actor.id, { action: 'user.session_ended', address });
        });
      },
    }),
    operation({
      id: 'panel_end_other_sessions',
      method: 'POST',
      path: `${path}/end-others`,
      tag,
      summary: 'End all sessions but this one',
      description: 'Signs out everywhere else.',
      access,
      success: { status: 204, description: 'Ended.' },
      errors: [],
      handle: async ({ caller: { actor }, address }) => {
        await db.transaction(async (tx) => {
          await endOtherSessions(tx, actor.id, { current: actor.session_id, now: clock.now() });
          await recordAct(tx, actor.id, { action: 'user.other_sessions_ended', address });
        });
      },
    }),
  ];
}
