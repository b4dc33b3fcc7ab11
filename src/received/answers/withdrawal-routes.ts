import { Type } from 'typebox';
import { actorOf, recordAudit } from '../../audit/index.ts';
import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { onePage, PageQuery, selectPage } from '../../base/http/pagination.ts';
import { Enum, Nullable } from '../../base/http/schemas.ts';
import { Withdrawal, withdrawalExample, withdrawalStates } from './withdrawal-schemas.ts';
import { decideWithdrawal, getWithdrawal, shownWithdrawals, withdrawalColumns } from './withdrawals.ts';

const tag = 'Receiving';
const uuidPattern = '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
const path = '/v1/reply-withdrawals/{received_mail_id}' as const;
const params = Type.Object({
  received_mail_id: Type.String({ maxLength: 36, description: 'The answer.' }),
});
const one = { status: 200, description: 'The withdrawal.', schema: Withdrawal } as const;
const reading = { kind: 'api_key', scope: 'inbound:read' } as const;
const writing = { kind: 'api_key', scope: 'inbound:write', role: 'developer' } as const;

interface Context {
  db: Database;
  clock: Clock;
}

/** Answers that say nothing but that a person wants no more mail. */
export function withdrawalRoutes(context: Context): Operation[] {
  const { db } = context;
  return [
    operation({
      id: 'list_reply_withdrawals',
      method: 'GET',
      path: '/v1/reply-withdrawals',
      tag,
      summary: 'List withdrawals by reply',
      description:
        'Answers that say nothing but "baja", "unsubscribe" or the like, newest first. The setting `reply_withdrawal` of the instance says whether they are offered to a person (`offer`), recorded at once where DMARC passes (`automatic`), or ignored (`off`).',
      access: reading,
      query: PageQuery({
        received_mail_id: Type.Optional(
          Nullable(Type.String({ pattern: uuidPattern, description: 'Only of this answer.' })),
        ),
        state: Type.Optional(
          Nullable(Enum(withdrawalStates, { description: 'Only withdrawals in this state.' })),
        ),
      }),
      success: onePage('withdrawals', Withdrawal, withdrawalExample),
      errors: [],
      handle: async ({ caller, query }) =>
        await selectPage<Withdrawal>(
          db,
          {
            columns: withdrawalColumns,
            source: `from ${shownWithdrawals} and ($2::text is null or w.state = $2) and ($3::uuid is null or w.received_mail_id = $3)`,
            order_by: 'w.received_mail_id desc',
            values: [caller.instance.id, query.state ?? null, query.received_mail_id ?? null],
          },
          query,
        ),
    }),
    operation({
      id: 'get_reply_withdrawal',
      method: 'GET',
      path,
      tag,
      summary: 'Read a withdrawal by reply',
      description: 'By the answer that says it.',
      access: reading,
      params,
      success: { ...one, example: withdrawalExample },
      errors: ['reply_withdrawal_not_found'],
      handle: async ({ caller, params: { received_mail_id } }) =>
        await getWithdrawal(db, caller.instance.id, received_mail_id),
    }),
    decision(context, {
      is_accepted: true,
      verb: 'accept',
      summary: 'Record a withdrawal by reply',
      description:
        'Unsubscribes the recipient of the mail that was answered and withdraws their consent to the purpose of its sender, with the answer as evidence.',
    }),
    decision(context, {
      is_accepted: false,
      verb: 'dismiss',
      summary: 'Dismiss a withdrawal by reply',
      description: 'The answer meant something else. Nothing is recorded of the person.',
    }),
  ];
}

interface Deciding {
  is_accepted: boolean;
  verb: 'accept' | 'dismiss';
  summary: string;
  description: string;
}

function decision({ db, clock }: Context, { is_accepted, verb, summary, description }: Deciding): Operation {
  const state = is_accepted ? ('recorded' as const) : ('dismissed' as const);
  const decided = {
    ...withdrawalExample,
    state,
    decided_at: '2026-12-01T12:30:00.000Z',
    decided_by: 'user:7',
  };
  return operation({
    id: `${verb}_reply_withdrawal`,
    method: 'POST',
    path: `${path}/${verb}`,
    tag,
    summary,
    description,
    access: writing,
    params,
    success: { ...one, example: decided },
    errors: ['reply_withdrawal_not_found', 'reply_withdrawal_decided'],
    handle: async (call) => {
      const { actor, instance } = call.caller;
      const { received_mail_id } = call.params;
      const decider = `${actor.kind}:${actor.id}`;
      const decided_ = await decideWithdrawal(db, instance.id, {
        received_mail_id,
        is_accepted,
        decider,
        at: clock.now(),
      });
      await recordAudit(db, {
        instance_id: instance.id,
        actor: actorOf(call),
        action: `reply_withdrawal.${state}`,
        object: { kind: 'reply_withdrawal', id: received_mail_id },
        details: {},
      });
      return decided_;
    },
  });
}
