import { Type } from 'typebox';
import { actorOf } from '../audit/index.ts';
import type { Database } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { DateTime, Nullable } from '../base/http/schemas.ts';
import {
  linkHost,
  listLinkTakedowns,
  restoreLinkHost,
  takeDownLinkHost,
  validateLinkHost,
} from './link-takedowns.ts';

const tag = 'Operator';
const path = '/v1/private/operator/link-takedowns' as const;
const access = { kind: 'operator' } as const;

const Reason = Nullable(
  Type.String({ minLength: 1, maxLength: 500, description: 'For operators; the page does not show it.' }),
);
const Takedown = Type.Object(
  {
    host: Type.String({ description: 'In lower case and A-labels.' }),
    reason: Reason,
    taken_down_at: DateTime('When an operator took it down.'),
  },
  { $id: 'LinkTakedown' },
);
const example = {
  host: 'phish.example',
  reason: 'Asks for passwords of a bank.',
  taken_down_at: '2026-12-01T12:00:00.000Z',
};

/** Links in mail to these hosts show a page that says so, in every instance and on every node, within seconds. */
export function linkTakedownOperatorRoutes({ db }: { db: Database }): Operation[] {
  return [
    operation({
      id: 'operator_list_link_takedowns',
      method: 'GET',
      path,
      tag,
      summary: 'List the hosts whose links are taken down',
      description: 'Newest first.',
      access,
      query: PageQuery({}),
      success: onePage('takedowns', Takedown, example),
      errors: [],
      handle: async ({ query }) => await listLinkTakedowns(db, query),
    }),
    operation({
      id: 'operator_take_down_link_host',
      method: 'POST',
      path,
      tag,
      summary: 'Take down the links to a host',
      description:
        'Tracked links to the host, and to hosts below it, show a warning without a way on: in mail of every instance, also in mail that was delivered. Within seconds on every node. Taking it down again replaces the reason.',
      access,
      body: Type.Object(
        {
          host: Type.String({ maxLength: 253, description: 'A name or an IP address, without a port.' }),
          reason: Type.Optional(Reason),
        },
        { $id: 'NewLinkTakedown' },
      ),
      body_example: { host: example.host, reason: example.reason },
      success: { status: 201, description: 'Taken down.', schema: Takedown, example },
      location: `${path}/{host}`,
      errors: [],
      handle: async (call) => {
        const { host, reason = null } = call.body;
        const found = validateLinkHost(host);
        if ('violation' in found) throw validationProblem([found.violation]);
        const takedown = { host: found.host, reason, actor: actorOf(call) };
        return await db.transaction(async (tx) => await takeDownLinkHost(tx, takedown));
      },
    }),
    operation({
      id: 'operator_restore_link_host',
      method: 'DELETE',
      path: `${path}/{host}`,
      tag,
      summary: 'Restore the links to a host',
      description: 'They lead on again, within seconds.',
      access,
      params: Type.Object({ host: Type.String({ maxLength: 253 }) }),
      success: { status: 204, description: 'Restored.' },
      errors: ['link_takedown_not_found'],
      handle: async (call) => {
        const host = linkHost(call.params.host);
        if (host === undefined) throw new Problem('link_takedown_not_found');
        await db.transaction(async (tx) => await restoreLinkHost(tx, { host, actor: actorOf(call) }));
      },
    }),
  ];
}
