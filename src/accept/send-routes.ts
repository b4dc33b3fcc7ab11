import type { Clock } from '../base/clock.ts';
import { operation, Reply, type Operation } from '../base/http/operation.ts';
import type { Acceptance } from './accept-mail.ts';
import { keyedCall, replayHeaders } from './keyed-call.ts';
import { validateSend, readSend } from './read-send.ts';
import { sendExamples } from './send-examples.ts';
import { SendMail, SendResult, sendLimits } from './send-schema.ts';

const maxRetentionMonths = 120;

interface SendContext {
  acceptance: Acceptance;
  clock: Clock;
}

export function sendRoutes({ acceptance, clock }: SendContext): Operation[] {
  return [
    operation({
      id: 'send_mail',
      method: 'POST',
      path: '/v1/mails/send',
      tag: 'Mails',
      summary: 'Send an email',
      description:
        'Accepts one message for up to 50 recipients and answers after the commit. The body is JSON, the same JSON with `Content-Encoding: gzip`, or `multipart/form-data` with attachments as file parts and arrays and objects as JSON strings. A repeated send is a second message unless it has the `Idempotency-Key` of the first. Unknown members are refused with `extra_forbidden`, and with the known name that is meant where one is near.\n\nSuppressed recipients do not fail the send; their mail is dropped, with the reason in its log.',
      access: { kind: 'api_key', scope: 'mail:send', role: 'developer' },
      body: SendMail,
      body_example: {
        sender_email: 'test@demo.sandbox.test',
        to: [{ email: 'delivered@sandbox.test', name: 'Ana' }],
        subject: 'Hello',
        html: '<p>It works.</p>',
        custom_msg_id: 'order-1001',
      },
      more_body_examples: sendExamples,
      validate: (body, files) =>
        // The body is refused anyway; the instance, whose retention may limit the schedule, is not known here.
        validateSend(body, files, { now: clock.now(), retention_months: maxRetentionMonths }),
      is_repeatable: true,
      max_body_bytes: sendLimits.body_bytes,
      multipart: { file_field: 'attachments', max_file_bytes: sendLimits.attachment_bytes },
      success: {
        status: 200,
        description: 'The message is queued.',
        schema: SendResult,
        example: { message_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a79' },
      },
      errors: [
        'plan_send_limit_exceeded',
        'subscription_inactive',
        'sender_not_found',
        'mail_template_not_found',
        'sandbox_relay_restricted',
        'domain_sender_not_verified',
        'template_not_public',
        'rate_limit_exceeded',
      ],
      handle: async (call) => {
        const { caller, body, files } = call;
        const attachments = files.map(({ filename, type, content }) => ({ filename, type, content }));
        const draft = readSend({
          body,
          files: attachments,
          instance_id: caller.instance.id,
          retention_months: caller.instance.retention_months,
          now: clock.now(),
          traceparent: call.header('traceparent'),
          sandbox_only: caller.actor.kind === 'api_key' && caller.actor.sandbox_only,
        });
        // Already decoded: the base64 text can be freed before the commit.
        if (body.attachments) body.attachments = [];
        const keyed = keyedCall(call, 'send');
        const { msg_id, is_replay } = await acceptance.acceptMail(draft, { keyed });
        const result = { message_id: msg_id };
        return is_replay ? new Reply(result, replayHeaders(is_replay)) : result;
      },
    }),
  ];
}
