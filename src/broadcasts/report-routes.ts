import { Type } from 'typebox';
import { actorOf } from '../audit/index.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { Nullable } from '../base/http/schemas.ts';
import { type ExportContext, exportOperation } from '../exports/index.ts';
import { type BroadcastsContext, params, path, read, tag, write } from './broadcast-routes.ts';
import { BroadcastRecipient, recipientExample, recipientFilters } from './recipient-schemas.ts';
import { listRecipients, selectRecipients } from './recipients.ts';
import { readReport } from './report.ts';
import { BroadcastReport, reportExample } from './report-schemas.ts';
import { isSandboxOnly } from './sandbox-keys.ts';
import { testBroadcast, type TestContext } from './test-broadcast.ts';

/** What came of a broadcast: read at a cost that grows with its mails. */
export function broadcastReportRoutes({ db }: BroadcastsContext): Operation[] {
  return [
    operation({
      id: 'report_broadcast',
      method: 'GET',
      path: `${path}/report`,
      tag,
      summary: 'Report on a broadcast',
      description:
        'What came of it so far: from recipients to clicks, withdrawals and complaints, opens and clicks by hour and link (people, not machines), by provider, and the last five broadcasts to compare with.',
      access: read,
      params,
      success: { status: 200, description: 'The report.', schema: BroadcastReport, example: reportExample },
      errors: ['broadcast_not_found', 'search_timeout'],
      handle: async ({ caller, params: { id } }) => await readReport(db, caller.instance.id, id),
    }),
    operation({
      id: 'list_broadcast_recipients',
      method: 'GET',
      path: `${path}/recipients`,
      tag,
      summary: 'List the recipients of a broadcast',
      description:
        'Everyone who was in the audience when it started: the consent that allowed it, and what became of the mail. With `contact` it says why one person was written to.',
      access: read,
      params,
      query: PageQuery(recipientFilters),
      success: onePage('recipients', BroadcastRecipient, recipientExample),
      errors: ['broadcast_not_found'],
      handle: async ({ caller, params: { id }, query: { contact, ...page } }) =>
        await listRecipients(db, caller.instance.id, { id, contact, page }),
    }),
  ];
}

export function recipientExportRoutes(context: ExportContext): Operation[] {
  return [
    exportOperation(
      {
        id: 'export_broadcast_recipients',
        path: `${path}/recipients/export`,
        tag,
        summary: 'Export the recipients of a broadcast',
        description:
          'Each recipient with the consent that allowed the mail, and what became of the mail: the report in rows, and the proof of who was written to and why.',
        scope: 'broadcasts:read',
        params,
        filters: recipientFilters,
        row: BroadcastRecipient,
        example: { json: recipientExample },
        errors: ['broadcast_not_found'],
        name: 'broadcast-recipients',
        select: async ({ caller: { instance }, params: { id }, query: { contact } }) =>
          await selectRecipients(context.db, instance.id, { id, contact }),
      },
      context,
    ),
  ];
}

export function broadcastTestRoutes(context: TestContext): Operation[] {
  return [
    operation({
      id: 'test_broadcast',
      method: 'POST',
      path: `${path}/test`,
      tag,
      summary: 'Test a broadcast',
      description:
        'Sends its message to up to 10 colleagues now, in `test_mode`. With `contact` the placeholders are what this contact answered. At most 30 mails a minute.',
      access: write,
      params,
      body: Type.Object(
        {
          to: Type.Array(Type.String({ minLength: 3, maxLength: 254, examples: ['luis@example.com'] }), {
            minItems: 1,
            maxItems: 10,
            description: 'Who gets it.',
          }),
          contact: Type.Optional(
            Nullable(Type.String({ maxLength: 254, description: 'Address of the contact it is made for.' })),
          ),
        },
        { $id: 'BroadcastTest' },
      ),
      body_example: { to: ['luis@example.com'], contact: 'ana@example.com' },
      success: {
        status: 200,
        description: 'The messages.',
        schema: Type.Object(
          { message_ids: Type.Array(Type.String({ description: 'One for each of `to`.' })) },
          { $id: 'BroadcastTestResult' },
        ),
        example: { message_ids: ['019a84f2-7c00-7000-8000-2f6d1c3b5a79'] },
      },
      errors: [
        'broadcast_not_found',
        'sender_not_found',
        'mail_template_not_found',
        'domain_sender_not_verified',
        'sandbox_relay_restricted',
        'plan_send_limit_exceeded',
        'subscription_inactive',
      ],
      handle: async (call) =>
        await testBroadcast(context, call.caller.instance.id, {
          ...call.body,
          id: call.params.id,
          sandbox_only: isSandboxOnly(call.caller),
          actor: actorOf(call),
        }),
    }),
  ];
}
