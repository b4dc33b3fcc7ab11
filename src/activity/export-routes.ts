import type { Operation } from '../base/http/operation.ts';
import { exportOperation, type ExportContext } from '../instances/export-operation.ts';
import { mailExample, MailRecord, sentFilters } from './mail-schemas.ts';
import { selectMails } from './mails.ts';

const sentCsv = `"mail_id","msg_id","to","subject","sender","status","opens","clicks","received_at","queued_at","sent_at","schedule_at","delay","custom_msg_id","custom_group_code"
019a84f2-7c00-7000-8000-2f6d1c3b5a7a,019a84f2-7c00-7000-8000-2f6d1c3b5a79,"ana@example.com","Your order 1001","hello@mail.example.com",3,0,0,"2026-12-01T12:00:00Z","2026-12-01T12:00:00Z","2026-12-01T12:00:00.4Z",,0.4,"order-1001",
`;

export function activityExportRoutes(context: ExportContext): Operation[] {
  return [
    exportOperation(
      {
        id: 'export_sent',
        path: '/v1/activities/sent/export',
        tag: 'Mails',
        summary: 'Export mails',
        description: 'The list of mails with the same filters.',
        scope: 'mail:read',
        filters: sentFilters,
        row: MailRecord,
        example: { json: mailExample, csv: sentCsv },
        name: 'sent',
        select: async ({ caller: { instance }, query, now }) => selectMails({ query, now, instance }),
      },
      context,
    ),
  ];
}
