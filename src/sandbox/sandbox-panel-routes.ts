import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { audited } from '../audit/index.ts';
import { requireMailId, withinTime } from '../activity/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { Download, operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { DateTime, Nullable } from '../base/http/schemas.ts';
import { NullableStatusName } from '../mails/index.ts';
import { readerOf } from './readable-messages.ts';
import {
  deleteSandboxMessages,
  getSandboxMessage,
  getSandboxSource,
  listSandboxMessages,
  markSandboxRead,
} from './sandbox-messages.ts';

const tag = 'Sandbox';
const access = { kind: 'user', role: 'viewer' } as const;
const text = (description: string) => Nullable(Type.String({ description }));

const summary = {
  mail_id: Type.String(),
  recipient: Type.String(),
  msg_id: text('The send it was part of.'),
  sender: text('Address that it was sent from.'),
  subject: text('Subject as the recipient sees it.'),
  status: Nullable(Type.Integer({ description: 'Delivery status of the mail.' })),
  status_name: NullableStatusName,
  size_bytes: Type.Integer({ description: 'Octets of the message.' }),
  captured_at: DateTime('When it was captured.'),
  is_read: Type.Boolean({ description: 'Whether somebody of the instance has opened it in the panel.' }),
  platform_kind: text(
    'Of mail that the platform wrote and cannot send, such as `invitation`: what it is. Null for mail of the instance.',
  ),
};
const SandboxMessage = Type.Object(summary);
const SandboxMessageDetail = Type.Object({
  ...summary,
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
    description: 'As they stand in the message, unfolded.',
  }),
  html: text('HTML part, decoded.'),
  text: text('Plain-text part, decoded.'),
  attachments: Type.Array(
    Type.Object({
      filename: text('Name of the file.'),
      type: Type.String({ description: 'Media type.' }),
      size_bytes: Type.Integer({ description: 'Octets of the file.' }),
      content_id: text('By which the HTML part refers to it.'),
    }),
  ),
  raw: Type.String({ description: 'The message as it would have gone over the wire.' }),
});

const example = {
  mail_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a7a',
  recipient: 'delivered@sandbox.test',
  msg_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a79',
  sender: 'test@demo.sandbox.test',
  subject: 'Hello',
  status: 3,
  status_name: 'sent',
  size_bytes: 1830,
  captured_at: '2026-12-01T12:00:00.400Z',
  is_read: false,
  platform_kind: null,
};

export function sandboxPanelRoutes(context: { db: Database; clock: Clock }): Operation[] {
  return [...readingRoutes(context), sourceRoute(context), markingRoute(context), ...deletingRoutes(context)];
}

function readingRoutes({ db, clock }: { db: Database; clock: Clock }): Operation[] {
  return [
    operation({
      id: 'panel_list_sandbox_messages',
      method: 'GET',
      path: '/v1/private/sandbox-messages',
      tag,
      summary: 'List what the sandbox captured',
      description:
        'Every message to a sandbox recipient, newest first. On an installation that cannot send mail of its own (a platform domain under `.test`), owners and admins also see the mail that it wrote for the instance, and each user their own password links.',
      access,
      query: PageQuery({
        recipient: Type.Optional(Nullable(Type.String({ maxLength: 254 }))),
        search: Type.Optional(
          Nullable(Type.String({ maxLength: 254, description: 'Part of recipient, sender or subject.' })),
        ),
        is_read: Type.Optional(Nullable(Type.Boolean({ description: 'Only those opened, or not opened.' }))),
      }),
      success: onePage('captured messages', SandboxMessage, example),
      errors: ['search_timeout'],
      handle: async ({ caller, query }) =>
        await withinTime(
          db,
          async (tx) =>
            await listSandboxMessages(tx, caller.instance.id, { ...query, reader: readerOf(caller) }),
        ),
    }),
    operation({
      id: 'panel_get_sandbox_message',
      method: 'GET',
      path: '/v1/private/sandbox-messages/{mail_id}',
      tag,
      summary: 'Read a captured message',
      description: 'Its header, its parts as a mail program would show them, and its source.',
      access,
      params: Type.Object({ mail_id: Type.String({ description: 'Identifier of the mail.' }) }),
      success: {
        status: 200,
        description: 'The message.',
        schema: SandboxMessageDetail,
        example: {
          ...example,
          headers: [{ name: 'Subject', value: 'Hello' }],
          html: '<p>It works.</p>',
          text: 'It works.',
          attachments: [],
          raw: 'Subject: Hello\r\n\r\n…',
        },
      },
      errors: ['mail_not_found', 'mail_outside_retention'],
      handle: async ({ caller, params }) =>
        await getSandboxMessage(db, caller.instance.id, {
          mail_id: requireMailId(params.mail_id, clock.now(), caller.instance.retention_months),
          reader: readerOf(caller),
        }),
    }),
  ];
}

const file = Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/octet-stream' });

function sourceRoute({ db, clock }: { db: Database; clock: Clock }): Operation {
  return operation({
    id: 'panel_get_sandbox_source',
    method: 'GET',
    path: '/v1/private/sandbox-messages/{mail_id}/source',
    tag,
    summary: 'Download a captured message as .eml',
    description: 'As it would have gone over the wire.',
    access,
    params: Type.Object({ mail_id: Type.String({ description: 'Identifier of the mail.' }) }),
    success: { status: 200, description: 'The file.', also: { 'message/rfc822': { schema: file } } },
    errors: ['mail_not_found', 'mail_outside_retention'],
    handle: async ({ caller, params }) => {
      const { instance } = caller;
      const id = requireMailId(params.mail_id, clock.now(), instance.retention_months);
      const raw = await getSandboxSource(db, instance.id, { mail_id: id, reader: readerOf(caller) });
      return new Download({
        content_type: 'message/rfc822',
        file_name: `${id}.eml`,
        open: async () => await Promise.resolve(Readable.from([raw], { objectMode: false })),
      });
    },
  });
}

const uuid = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

function markingRoute({ db, clock }: { db: Database; clock: Clock }): Operation {
  return operation({
    id: 'panel_read_sandbox_messages',
    method: 'POST',
    path: '/v1/private/sandbox-messages/read',
    tag,
    summary: 'Mark captured messages as read',
    description: 'For everybody of the instance. Without `mail_ids`: the newest 5,000 that are unread.',
    access: { kind: 'user', role: 'developer' },
    body: Type.Object(
      {
        mail_ids: Type.Optional(
          Type.Array(Type.String({ pattern: uuid, maxLength: 36, description: 'Identifier of a mail.' }), {
            maxItems: 100,
          }),
        ),
      },
      { $id: 'ReadSandboxMessages' },
    ),
    body_example: { mail_ids: [example.mail_id] },
    success: { status: 204, description: 'Marked.' },
    errors: [],
    handle: async ({ caller, body: { mail_ids } }) =>
      await markSandboxRead(db, caller.instance.id, { mail_ids, now: clock.now(), reader: readerOf(caller) }),
  });
}

function deletingRoutes({ db, clock }: { db: Database; clock: Clock }): Operation[] {
  const act = { kind: 'user', role: 'developer' } as const;
  return [
    operation({
      id: 'panel_delete_sandbox_message',
      method: 'DELETE',
      path: '/v1/private/sandbox-messages/{mail_id}',
      tag,
      summary: 'Delete a captured message',
      description: 'The mail and its log stay.',
      access: act,
      params: Type.Object({ mail_id: Type.String({ description: 'Identifier of the mail.' }) }),
      success: { status: 204, description: 'Deleted.' },
      errors: ['mail_not_found', 'mail_outside_retention'],
      handle: async (call) => {
        const { retention_months } = call.caller.instance;
        const mail_id = requireMailId(call.params.mail_id, clock.now(), retention_months);
        await audited(db, deleteSandboxMessages)(call, { mail_id, reader: readerOf(call.caller) });
      },
    }),
    operation({
      id: 'panel_clear_sandbox',
      method: 'POST',
      path: '/v1/private/sandbox-messages/clear',
      tag,
      summary: 'Delete all captured messages',
      description: 'Newest first, 5,000 per call. The mails and their logs stay.',
      access: act,
      success: {
        status: 200,
        description: 'How many are deleted.',
        schema: Type.Object({
          deleted: Type.Integer(),
          has_more: Type.Boolean({ description: 'Whether another call would find more.' }),
        }),
        example: { deleted: 12, has_more: false },
      },
      errors: [],
      handle: async (call) =>
        await audited(db, deleteSandboxMessages)(call, { reader: readerOf(call.caller) }),
    }),
  ];
}
