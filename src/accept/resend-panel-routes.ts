import { Type } from 'typebox';
import { requireMailId } from '../activity/index.ts';
import { actorOf, auditOf } from '../audit/index.ts';
import type { Clock } from '../base/clock.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import type { Acceptance } from './accept-mail.ts';
import { draftAgain, type ResendContext } from './resend-mail.ts';
import { SendResult } from './send-schema.ts';

const audit = auditOf('mail');

interface ResendRoutesContext extends ResendContext {
  clock: Clock;
  acceptance: Acceptance;
}

export function resendPanelRoutes(context: ResendRoutesContext): Operation[] {
  const { db, clock, acceptance } = context;
  return [
    operation({
      id: 'panel_resend_mail',
      method: 'POST',
      path: '/v1/private/mails/{mail_id}/resend',
      tag: 'Mails',
      summary: 'Send the message of a mail again, as a new one',
      description:
        'To its recipient only. It is accepted like any other send: limits, restrictions and consent hold, and it counts in the plan.',
      access: { kind: 'user', role: 'developer' },
      params: Type.Object({ mail_id: Type.String({ description: 'Identifier of the mail.' }) }),
      success: {
        status: 200,
        description: 'The new message is queued.',
        schema: SendResult,
        example: { message_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a79' },
      },
      errors: [
        'mail_not_found',
        'mail_outside_retention',
        'mail_content_not_found',
        'plan_send_limit_exceeded',
        'subscription_inactive',
        'sender_not_found',
        'sandbox_relay_restricted',
        'domain_sender_not_verified',
        'request_too_large',
      ],
      handle: async (call) => {
        const { instance } = call.caller;
        const mail_id = requireMailId(call.params.mail_id, clock.now(), instance.retention_months);
        const { msg_id } = await acceptance.acceptMail(await draftAgain(context, instance.id, mail_id));
        await audit(db, instance.id, {
          action: 'resent',
          id: mail_id,
          actor: actorOf(call),
          details: { msg_id },
        });
        return { message_id: msg_id };
      },
    }),
  ];
}
