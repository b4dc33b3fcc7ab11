import { Type } from 'typebox';
import type { Queryable } from '../base/db/database.ts';
import { externalIdFilter } from '../base/http/external-id.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { Id, Nullable } from '../base/http/schemas.ts';
import { detailExample, listedExample } from './template-examples.ts';
import { MailTemplate, MailTemplateDetail } from './template-schemas.ts';
import { getTemplate, listTemplates } from './templates.ts';

const tag = 'Templates';
const access = { kind: 'api_key', scope: 'template:read' } as const;

export function templateRoutes({ db }: { db: Queryable }): Operation[] {
  return [
    operation({
      id: 'list_templates',
      method: 'GET',
      path: '/v1/mail-templates',
      tag,
      summary: 'List mail templates',
      description: 'The saved templates of the instance, in the order of their creation.',
      access,
      query: PageQuery({
        name: Type.Optional(
          Nullable(Type.String({ maxLength: 255, description: 'Part of the name, in either case.' })),
        ),
        is_published: Type.Optional(
          Nullable(Type.Boolean({ description: 'Only published ones or only drafts; all when left out.' })),
        ),
        alias: Type.Optional(
          Nullable(Type.String({ maxLength: 64, description: 'Only the one with this `alias`.' })),
        ),
        ...externalIdFilter,
      }),
      success: onePage('templates, without their content', MailTemplate, listedExample),
      errors: [],
      handle: async ({ caller, query }) => await listTemplates(db, caller.instance.id, query),
    }),
    operation({
      id: 'get_template',
      method: 'GET',
      path: '/v1/mail-templates/{template_id}',
      tag,
      summary: 'Read a mail template',
      description: 'One template with its content, with placeholders.',
      access,
      params: Type.Object({ template_id: Id('Identifier of the template.') }),
      success: {
        status: 200,
        description: 'The template.',
        schema: MailTemplateDetail,
        example: detailExample,
      },
      errors: ['mail_template_not_found'],
      handle: async ({ caller, params }) => await getTemplate(db, caller.instance.id, params.template_id),
    }),
  ];
}
