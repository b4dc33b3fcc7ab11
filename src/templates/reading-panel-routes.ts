import { Type } from 'typebox';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { Id } from '../base/http/schemas.ts';
import { previewSavedTemplate } from './preview-template.ts';
import type { TemplateRenderer } from './template-renderer.ts';
import { MailTemplatePreview } from './template-schemas.ts';
import { getTemplateUsage, TemplateUsage } from './template-usage.ts';

const tag = 'Templates';
const path = '/v1/private/mail-templates/{template_id}' as const;
const params = Type.Object({ template_id: Id('Identifier of the template.') });
const access = { kind: 'user', role: 'viewer' } as const;

/** What is to be known about a saved template beyond its content. */
export function templateReadingPanelRoutes({
  db,
  renderer,
}: {
  db: Database;
  renderer: TemplateRenderer;
}): Operation[] {
  return [
    operation({
      id: 'panel_preview_saved_template',
      method: 'GET',
      path: `${path}/preview`,
      tag,
      summary: 'Show what a saved template looks like',
      description: 'Rendered for a sample recipient, without variables.',
      access,
      params,
      success: {
        status: 200,
        description: 'What the recipient would get.',
        schema: MailTemplatePreview,
        example: { subject: 'Welcome, Ana', html: '<p>Hello Ana</p>', text: null },
      },
      errors: ['mail_template_not_found'],
      handle: async ({ caller, params: { template_id } }) =>
        await previewSavedTemplate({ db, renderer }, caller.instance.id, template_id),
    }),
    operation({
      id: 'panel_get_template_usage',
      method: 'GET',
      path: `${path}/usage`,
      tag,
      summary: 'Count what depends on a mail template',
      description: 'Forms that answer with the template, and how many of the newest mails were sent with it.',
      access,
      params,
      success: {
        status: 200,
        description: 'What depends on it.',
        schema: TemplateUsage,
        example: {
          forms: [{ id: 3, name: 'Newsletter' }],
          recent_mails: 1000,
          recent_mails_with_it: 312,
          last_sent_at: '2026-12-01T12:00:00.000Z',
        },
      },
      errors: ['mail_template_not_found'],
      handle: async ({ caller, params: { template_id } }) =>
        await getTemplateUsage(db, caller.instance.id, template_id),
    }),
  ];
}
