import type { Operation } from '../base/http/operation.ts';
import { type ExportContext, exportOperation } from '../exports/index.ts';
import { Bounce, bounceExample, bounceFilters } from './bounce-schemas.ts';
import { selectBounces } from './bounces.ts';
import { Click, clickExample, engagementFilters, Open, openExample } from './engagement-schemas.ts';
import { clicked, opened, selectEngagements } from './engagements.ts';
import { mailExample, MailRecord, sentFilters } from './mail-schemas.ts';
import { selectMails } from './select-mails.ts';

const grouped = 'The columns depend on `group_by`. Counts are of people, in the date range.';

export function activityExportRoutes(context: ExportContext): Operation[] {
  const shared = { tag: 'Activity', scope: 'mail:read' } as const;
  return [
    exportOperation(
      {
        ...shared,
        id: 'export_sent',
        path: '/v1/activities/sent/export',
        summary: 'Export mails',
        description: 'The list of mails with the same filters.',
        filters: sentFilters,
        row: MailRecord,
        example: { json: mailExample },
        name: 'sent',
        select: async ({ caller: { instance }, query, now }) => selectMails({ query, now, instance }),
      },
      context,
    ),
    exportOperation(
      {
        ...shared,
        id: 'export_opens',
        path: '/v1/activities/opens/export',
        summary: 'Export opens',
        description: `The list of opens with the same filters. ${grouped}`,
        filters: engagementFilters,
        row: Open,
        example: { json: openExample },
        name: 'opens',
        select: async ({ caller: { instance }, query, now }) =>
          selectEngagements(opened, { query, now, instance }),
      },
      context,
    ),
    exportOperation(
      {
        ...shared,
        id: 'export_clicks',
        path: '/v1/activities/clicks/export',
        summary: 'Export clicks',
        description: `The list of clicks with the same filters. ${grouped}`,
        filters: engagementFilters,
        row: Click,
        example: { json: clickExample },
        name: 'clicks',
        select: async ({ caller: { instance }, query, now }) =>
          selectEngagements(clicked, { query, now, instance }),
      },
      context,
    ),
    exportOperation(
      {
        ...shared,
        id: 'export_bounces',
        path: '/v1/activities/bounced/export',
        summary: 'Export bounces',
        description: 'The list of bounces with the same filters.',
        filters: bounceFilters,
        row: Bounce,
        example: { json: bounceExample },
        name: 'bounced',
        select: async ({ caller: { instance }, query, now }) => selectBounces({ query, now, instance }),
      },
      context,
    ),
  ];
}
