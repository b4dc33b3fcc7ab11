import { Type } from 'typebox';
import { operation, type Operation } from '../base/http/operation.ts';
import { Enum, Id } from '../base/http/schemas.ts';
import { actorOf } from '../audit/index.ts';
import { TemplateVariables, UnsavedContent } from '../templates/index.ts';
import { maxMembers, sendTest, type TestSendContext } from './send-test.ts';

const TestSend = Type.Object(
  {
    recipient: Enum(['self', 'members', 'sandbox'], {
      description:
        '`self`: your own address, from a sender of a verified domain. `members`: colleagues, by `member_ids`. `sandbox`: `delivered@sandbox.test`, to be read in the sandbox inbox.',
    }),
    member_ids: Type.Optional(
      Type.Array(Type.Integer(), {
        minItems: 1,
        maxItems: maxMembers,
        description: 'Members of the instance, where `recipient` is `members`.',
      }),
    ),
    sender_email: Type.Optional(
      Type.String({
        format: 'email',
        maxLength: 320,
        description: 'Address of a registered sender; the one of the sandbox domain when left out.',
      }),
    ),
    template_variables: Type.Optional(TemplateVariables('What the variables of the template stand for.')),
    content: Type.Optional(UnsavedContent),
  },
  { $id: 'TemplateTestSend', additionalProperties: false },
);

const TestSent = Type.Object(
  {
    message_id: Type.String({ description: 'Identifier of the message: `msg_id` in reports.' }),
    to: Type.String({ description: 'Where it went.', examples: ['ana@acme.cl'] }),
  },
  { $id: 'TemplateTestSent' },
);

export function testSendPanelRoutes(context: TestSendContext): Operation[] {
  return [
    operation({
      id: 'panel_test_template',
      method: 'POST',
      path: '/v1/private/mail-templates/{template_id}/test-send',
      tag: 'Templates',
      summary: 'Send a test of a mail template',
      description:
        'Sends the template, or `content` that is not saved, in `test_mode` to yourself, to colleagues or to the sandbox. 10 recipients a minute for each person.',
      access: { kind: 'user', role: 'developer' },
      params: Type.Object({ template_id: Id('Identifier of the template.') }),
      body: TestSend,
      body_example: {
        recipient: 'self',
        sender_email: 'news@acme.cl',
        template_variables: { order: { number: 1001 } },
        content: { subject: 'Order {{ order.number }}', source: '<p>Thank you, {{ recipient.name }}</p>' },
      },
      max_body_bytes: 20 * 1024 * 1024,
      success: {
        status: 200,
        description: 'The message is queued.',
        schema: TestSent,
        example: { message_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a79', to: 'ana@acme.cl' },
      },
      errors: [
        'mail_template_not_found',
        'template_content_required',
        'sender_not_found',
        'user_not_found',
        'sandbox_relay_restricted',
        'domain_sender_not_verified',
        'plan_send_limit_exceeded',
        'subscription_inactive',
        'rate_limit_exceeded',
      ],
      handle: async (call) =>
        await sendTest(context, call.caller.instance, {
          ...call.body,
          template_id: call.params.template_id,
          user_id: Number(call.caller.actor.id),
          actor: actorOf(call),
        }),
    }),
  ];
}
