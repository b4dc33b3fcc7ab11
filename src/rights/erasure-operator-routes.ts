import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';
import { actorOf } from '../audit/index.ts';
import { listErasuresUnderWay } from './erasures-under-way.ts';
import { stopReasons } from './request-schemas.ts';
import { cancelErasure } from './stop-erasure.ts';

const tag = 'Operator';
const path = '/v1/private/operator/erasures' as const;
const access = { kind: 'operator' } as const;

const ErasureUnderWay = Type.Object(
  {
    id: Id('Identifier of the request of the person.'),
    instance: Type.String({ description: 'Slug of the instance.' }),
    started_at: DateTime('When it was decided.'),
    mails: Type.Integer({ description: 'Mails that were erased so far.' }),
    rows: Type.Integer({ description: 'Other rows that were erased so far.' }),
    next_at: Nullable(DateTime('When it goes on; null at once.')),
    failures: Type.Integer({ description: 'Failures in a row.' }),
    error: Nullable(
      Type.String({ description: 'Step and code of the last failure; the log has its words.' }),
    ),
    stopped_at: Nullable(DateTime('When it was stopped.')),
    stop_reason: Nullable(Enum(stopReasons, { description: 'Why it was stopped.' })),
  },
  { $id: 'ErasureUnderWay' },
);

const example = {
  id: 42,
  instance: 'acme',
  started_at: '2026-12-01T12:00:00.000Z',
  mails: 1200,
  rows: 34,
  next_at: null,
  failures: 10,
  error: 'rows of audit_events: 57014',
  stopped_at: '2026-12-01T15:00:00.000Z',
  stop_reason: 'failing',
};

/** Without names: only the instance may know whose erasure it is. */
export function erasureOperatorRoutes({ db, clock }: { db: Database; clock: Clock }): Operation[] {
  return [
    operation({
      id: 'operator_list_erasures',
      method: 'GET',
      path,
      tag,
      summary: 'List the erasures that are under way or stopped',
      description: 'Of every instance: stopped ones first, then by the time they were started.',
      access,
      query: PageQuery({}),
      success: onePage('erasures', ErasureUnderWay, example),
      errors: [],
      handle: async ({ query }) => await listErasuresUnderWay(db, query),
    }),
    operation({
      id: 'operator_cancel_erasure',
      method: 'POST',
      path: `${path}/{id}/cancel`,
      tag,
      summary: 'Cancel an erasure',
      description:
        'What was erased stays erased. The request is open again, for the instance to decide; the person can be written to again.',
      access,
      params: Type.Object({ id: Id('Identifier of the request.') }),
      success: { status: 204, description: 'It is cancelled.' },
      errors: ['rights_request_not_found', 'rights_request_not_running'],
      handle: async (call) => {
        const { id } = call.params;
        await db.transaction(async (tx) => {
          const [found] = await tx.query<{ instance_id: number }>(
            'select instance_id from rights_requests where id = $1',
            [id],
          );
          if (!found) throw new Problem('rights_request_not_found');
          await cancelErasure(tx, found.instance_id, { id, actor: actorOf(call), now: clock.now() });
        });
      },
    }),
  ];
}
