import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { requireMailId } from './mail-id.ts';
import { mailExample, MailRecord, SentQuery } from './mail-schemas.ts';
import { listMails } from './list-mails.ts';
import { getMail } from './mails.ts';
import { MailLog, mailLogExamples } from './mail-log-schemas.ts';
import { listMailLogs } from './mail-logs.ts';

const access = { kind: 'api_key', scope: 'mail:read' } as const;
const params = Type.Object({
  mail_id: Type.String({ description: 'Identifier of the mail.', examples: [mailExample.mail_id] }),
});
const mailPage = onePage('mails', MailRecord, mailExample);

export function activityRoutes({ db, clock }: { db: Database; clock: Clock }): Operation[] {
  return [
    operation({
      id: 'list_mails',
      method: 'GET',
      path: '/v1/mails',
      tag: 'Mails',
      summary: 'List mails',
      description:
        'One item per recipient, newest first; the last three months by default. Filter by `custom_msg_id` to find out whether a send was accepted.',
      access,
      query: SentQuery,
      success: mailPage,
      errors: ['search_timeout'],
      handle: async ({ caller: { instance }, query }) =>
        await listMails(db, { query, now: clock.now(), instance }),
    }),
    operation({
      id: 'list_sent',
      method: 'GET',
      path: '/v1/activities/sent',
      tag: 'Mails',
      summary: 'List mails, as an activity',
      description: 'The same list as `GET /v1/mails`, for compatibility.',
      access,
      query: SentQuery,
      success: mailPage,
      errors: ['search_timeout'],
      handle: async ({ caller: { instance }, query }) =>
        await listMails(db, { query, now: clock.now(), instance }),
    }),
    operation({
      id: 'get_mail',
      method: 'GET',
      path: '/v1/mails/{mail_id}',
      tag: 'Mails',
      summary: 'Read a mail',
      description: 'The record of one recipient of a send.',
      access,
      params,
      success: { status: 200, description: 'The mail.', schema: MailRecord, example: mailExample },
      errors: ['mail_not_found', 'mail_outside_retention'],
      handle: async ({ caller: { instance }, params: { mail_id } }) =>
        await getMail(db, instance.id, requireMailId(mail_id, clock.now(), instance.retention_months)),
    }),
    operation({
      id: 'get_mail_logs',
      method: 'GET',
      path: '/v1/mails/{mail_id}/logs',
      tag: 'Mails',
      summary: 'Read the log of a mail',
      description:
        'The events of one mail, oldest first: reception, each attempt with the reply of the remote server, and the reason of a drop or bounce.',
      access,
      params,
      query: PageQuery({}),
      success: onePage('the log', MailLog, ...mailLogExamples),
      errors: ['mail_not_found', 'mail_outside_retention'],
      handle: async ({ caller: { instance }, params: { mail_id: given }, query }) => {
        const mail_id = requireMailId(given, clock.now(), instance.retention_months);
        return await listMailLogs(db, instance.id, { mail_id, page: query });
      },
    }),
  ];
}
