import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { requireMailId } from '../activity/index.ts';
import type { Clock } from '../base/clock.ts';
import { Problem } from '../base/errors/problem.ts';
import type { FairLimiter } from '../base/fair-limiter.ts';
import type { Caller } from '../base/http/access.ts';
import { Download, operation, type Operation } from '../base/http/operation.ts';
import { Id } from '../base/http/schemas.ts';
import { readAttachment } from '../protocol/mime/parse-message.ts';
import { getMessageContent, getMessageSource, type ContentContext } from './message-content.ts';
import { MessageContent, messageContentExample } from './message-content-schemas.ts';

interface MessagePanelContext extends ContentContext {
  clock: Clock;
  /** A message of 15 MB is built in memory: a few at a time. */
  limiter: FairLimiter;
}

const tag = 'Mails';
const access = { kind: 'user', role: 'developer' } as const;
const mail_id = Type.String({
  description: 'Identifier of the mail.',
  examples: [messageContentExample.mail_id],
});
const errors = ['mail_not_found', 'mail_outside_retention', 'mail_content_not_found'] as const;
const file = Type.Unsafe<string>({ type: 'string', contentMediaType: 'application/octet-stream' });

/** What was written, for as long as it is kept. */
export function messagePanelRoutes(context: MessagePanelContext): Operation[] {
  const idOf = ({ caller, params }: { caller: Caller; params: { mail_id: string } }): string =>
    requireMailId(params.mail_id, context.clock.now(), caller.instance.retention_months);
  const inTurn = async <T>({ instance }: Caller, work: () => Promise<T>): Promise<T> =>
    await context.limiter(instance.id, work);
  return [
    operation({
      id: 'panel_get_mail_content',
      method: 'GET',
      path: '/v1/private/mails/{mail_id}/content',
      tag,
      summary: 'Read the message of a mail',
      description:
        'Header, HTML and text for this recipient, attachments, links with their clicks, and the other recipients. Without tracking, and with unsubscribe links that do nothing, so that a preview has no effect.',
      access,
      params: Type.Object({ mail_id }),
      success: {
        status: 200,
        description: 'The message.',
        schema: MessageContent,
        example: messageContentExample,
      },
      errors: [...errors],
      handle: async (call) => {
        const id = idOf(call);
        const { caller } = call;
        return await inTurn(caller, async () => await getMessageContent(context, caller.instance.id, id));
      },
    }),
    operation({
      id: 'panel_get_mail_source',
      method: 'GET',
      path: '/v1/private/mails/{mail_id}/source',
      tag,
      summary: 'Download the message of a mail as .eml',
      description:
        'As it would be sent, but for its signature and its tracking. Its links to unsubscribe, report and view do nothing.',
      access,
      params: Type.Object({ mail_id }),
      success: { status: 200, description: 'The file.', also: { 'message/rfc822': { schema: file } } },
      errors: [...errors],
      handle: async (call) => {
        const id = idOf(call);
        const { caller } = call;
        const { raw } = await inTurn(
          caller,
          async () => await getMessageSource(context, caller.instance.id, id),
        );
        return download({ content_type: 'message/rfc822', file_name: `${id}.eml`, content: raw });
      },
    }),
    operation({
      id: 'panel_get_mail_attachment',
      method: 'GET',
      path: '/v1/private/mails/{mail_id}/attachments/{position}',
      tag,
      summary: 'Download an attachment of a mail',
      description: 'Always as a file to be saved.',
      access,
      params: Type.Object({
        mail_id,
        position: Id('From the list of attachments.'),
      }),
      success: {
        status: 200,
        description: 'The file.',
        also: { 'application/octet-stream': { schema: file } },
      },
      errors: [...errors, 'attachment_not_found'],
      handle: async (call) => {
        const id = idOf(call);
        const { caller } = call;
        const found = await inTurn(caller, async () => {
          const { raw } = await getMessageSource(context, caller.instance.id, id);
          return readAttachment(raw, call.params.position);
        });
        if (!found) throw new Problem('attachment_not_found');
        const file_name = plainName(found.filename ?? '') || `attachment-${call.params.position}`;
        // Not its own type: nothing of a stranger is to be shown as a page of this origin.
        return download({ content_type: 'application/octet-stream', file_name, content: found.content });
      },
    }),
  ];
}

function download({
  content,
  ...file_
}: {
  content_type: string;
  file_name: string;
  content: Buffer;
}): Download {
  return new Download({ ...file_, open: async () => Readable.from([content], { objectMode: false }) });
}

/** The name stands in quotes in a header field. */
function plainName(name: string): string {
  return name.replaceAll(/[^\w.() -]/g, '_').slice(0, 120);
}
