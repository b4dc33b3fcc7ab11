import { Type } from 'typebox';
import { actorOf } from '../audit/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { Caller } from '../base/http/access.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { cancelGroup } from './cancel-group.ts';
import { cancelMessage, type MessageChange, rescheduleMessage } from './change-message.ts';
import { requireMessageId } from './mail-id.ts';
import {
  CancelGroup,
  CancelledGroup,
  CancelledMessage,
  Message,
  messageExample,
  NewSchedule,
  RescheduledMessage,
} from './message-schemas.ts';
import { getMessage } from './messages.ts';

interface MessageContext {
  db: Database;
  clock: Clock;
}

const tag = 'Mails';
const params = Type.Object({
  message_id: Type.String({
    description: 'The `message_id` of a send.',
    examples: [messageExample.message_id],
  }),
});
const change = { kind: 'api_key', scope: 'mail:send', role: 'developer' } as const;
const notFound = ['message_not_found', 'mail_outside_retention'] as const;
const notChanged = [...notFound, 'message_already_sent', 'sandbox_relay_restricted'] as const;

interface MessageCall {
  caller: Caller;
  address: string;
  params: { message_id: string };
}

function changeOf(call: MessageCall, now: Date): MessageChange {
  const { instance, actor } = call.caller;
  return {
    message_id: requireMessageId(call.params.message_id, now, instance.retention_months),
    actor: actorOf(call),
    sandbox_only: actor.kind === 'api_key' && actor.sandbox_only,
    now,
  };
}

export function messageReadRoutes({ db, clock }: MessageContext): Operation[] {
  return [
    operation({
      id: 'get_message',
      method: 'GET',
      path: '/v1/messages/{message_id}',
      tag,
      summary: 'Read a message',
      description:
        'One send with all of its recipients: when it is to be sent, and how many of its mails have which status.',
      access: { kind: 'api_key', scope: 'mail:read' },
      params,
      success: { status: 200, description: 'The message.', schema: Message, example: messageExample },
      errors: [...notFound],
      handle: async ({ caller: { instance }, params: { message_id } }) =>
        await getMessage(
          db,
          instance.id,
          requireMessageId(message_id, clock.now(), instance.retention_months),
        ),
    }),
  ];
}

export function messageWriteRoutes(context: MessageContext): Operation[] {
  return [rescheduleRoute(context), cancelRoute(context), cancelGroupRoute(context)];
}

function rescheduleRoute({ db, clock }: MessageContext): Operation {
  return operation({
    id: 'schedule_message',
    method: 'PATCH',
    path: '/v1/messages/{message_id}',
    tag,
    summary: 'Reschedule a message',
    description:
      'Moves its mails that no attempt was made to deliver yet, also those that were not scheduled or are on hold. 409 when it has no such mail.',
    access: change,
    params,
    body: NewSchedule,
    body_example: { schedule_at: '2026-12-02T09:00:00-03:00' },
    success: {
      status: 200,
      description: 'The message, and how many of its mails were moved.',
      schema: RescheduledMessage,
      example: { ...messageExample, rescheduled: 2 },
    },
    errors: [...notChanged],
    handle: async (call) => {
      const { retention_months } = call.caller.instance;
      const wanted = { ...changeOf(call, clock.now()), retention_months, schedule_at: call.body.schedule_at };
      return await db.transaction(async (tx) => await rescheduleMessage(tx, call.caller.instance.id, wanted));
    },
  });
}

function cancelRoute({ db, clock }: MessageContext): Operation {
  return operation({
    id: 'cancel_message',
    method: 'POST',
    path: '/v1/messages/{message_id}/cancel',
    tag,
    summary: 'Cancel a message',
    description:
      'Drops its mails that no attempt was made to deliver yet, with the reason `cancelled`, and gives them back to the plan. A mail is either sent or cancelled, never both: what is being attempted at this moment is not cancelled. A repeated call gives the same answer; 409 when nothing is cancelled.',
    access: change,
    params,
    success: {
      status: 200,
      description: 'The message, and how many of its mails are cancelled.',
      schema: CancelledMessage,
      example: {
        ...messageExample,
        untried: 0,
        statuses: { ...messageExample.statuses, queued: 0, dropped: 2 },
        cancelled: 2,
      },
    },
    errors: [...notChanged],
    handle: async (call) => {
      const wanted = changeOf(call, clock.now());
      return await db.transaction(async (tx) => await cancelMessage(tx, call.caller.instance.id, wanted));
    },
  });
}

function cancelGroupRoute({ db, clock }: MessageContext): Operation {
  return operation({
    id: 'cancel_messages',
    method: 'POST',
    path: '/v1/messages/cancel',
    tag,
    summary: 'Cancel the messages of a group',
    description:
      'Drops the mails with this `custom_group_code` that no attempt was made to deliver yet, oldest first, up to 10,000 a call. Repeat it while `has_more` is true.',
    access: change,
    body: CancelGroup,
    body_example: { custom_group_code: 'spring-sale' },
    success: {
      status: 200,
      description: 'How many mails were cancelled.',
      schema: CancelledGroup,
      example: { cancelled: 4120, has_more: false },
    },
    errors: ['sandbox_relay_restricted', 'search_timeout'],
    handle: async (call) => {
      const { instance, actor } = call.caller;
      return await cancelGroup(db, instance.id, {
        custom_group_code: call.body.custom_group_code,
        actor: actorOf(call),
        now: clock.now(),
        sandbox_only: actor.kind === 'api_key' && actor.sandbox_only,
      });
    },
  });
}
