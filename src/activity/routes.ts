import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { Page, PageQuery } from '../base/http/pagination.ts';
import { requireMailId } from './mail-id.ts';
import { MailLog, mailLogExamples } from './mail-log-schemas.ts';
import { listMailLogs } from './mail-logs.ts';

export function activityRoutes({ db, clock }: { db: Queryable; clock: Clock }): Operation[] {
  return [
    operation({
      id: 'get_mail_logs',
      method: 'GET',
      path: '/v1/mails/{mail_id}/logs',
      tag: 'Mails',
      summary: 'Read the log of a mail',
      description:
        'Everything that happened to one mail, oldest first: its reception, each attempt with what the remote server said, and why it was dropped or bounced.',
      access: { kind: 'api_key', scope: 'mail:read' },
      params: Type.Object({
        mail_id: Type.String({
          description: 'Identifier of the mail.',
          examples: [mailLogExamples[0]?.mail_id],
        }),
      }),
      query: PageQuery({}),
      success: {
        status: 200,
        description: 'One page of the log.',
        schema: Page(MailLog),
        example: {
          data: mailLogExamples,
          pagination: { page: 1, page_size: 20, has_more: false, total_items: 3, total_pages: 1 },
        },
      },
      errors: ['mail_not_found', 'mail_outside_retention'],
      handle: async ({ caller, params, query }) => {
        const mail_id = requireMailId(params.mail_id, clock.now());
        return await listMailLogs(db, caller.instance.id, { mail_id, page: query });
      },
    }),
  ];
}
