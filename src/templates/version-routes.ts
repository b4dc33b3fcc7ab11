import { Type } from 'typebox';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { Id } from '../base/http/schemas.ts';
import { actorOf } from '../audit/index.ts';
import { detailExample } from './template-examples.ts';
import type { TemplateRenderer } from './template-renderer.ts';
import { MailTemplateDetail } from './template-schemas.ts';
import { compareVersions, getVersion, listVersions } from './template-versions.ts';
import { restoreVersion } from './templates.ts';
import {
  TemplateVersion,
  TemplateVersionComparison,
  TemplateVersionDetail,
  versionDetailExample,
  versionExample,
} from './version-schemas.ts';

const tag = 'Templates';
const path = '/v1/mail-templates/{template_id}/versions' as const;
const template_id = Id('Identifier of the template.');
const params = Type.Object({ template_id, version: Id('Number of the version.') });
const reading = { kind: 'api_key', scope: 'template:read' } as const;

/** What a template said before. */
export function templateVersionRoutes({
  db,
  renderer,
}: {
  db: Database;
  renderer: TemplateRenderer;
}): Operation[] {
  return [
    operation({
      id: 'list_template_versions',
      method: 'GET',
      path,
      tag,
      summary: 'List the versions of a mail template',
      description:
        'Newest first. Each save that changes the content keeps one; the newest 50 are kept, and 20 MB of them.',
      access: reading,
      params: Type.Object({ template_id }),
      query: PageQuery({}),
      success: onePage('versions, without their content', TemplateVersion, versionExample),
      errors: ['mail_template_not_found'],
      handle: async ({ caller, params: { template_id: id }, query }) =>
        await listVersions(db, caller.instance.id, { ...query, template_id: id }),
    }),
    operation({
      id: 'get_template_version',
      method: 'GET',
      path: `${path}/{version}`,
      tag,
      summary: 'Read a version of a mail template',
      description: 'What was edited, as it was saved.',
      access: reading,
      params,
      success: {
        status: 200,
        description: 'The version.',
        schema: TemplateVersionDetail,
        example: versionDetailExample,
      },
      errors: ['mail_template_not_found', 'template_version_not_found'],
      handle: async (call) => await getVersion(db, call.caller.instance.id, call.params),
    }),
    operation({
      id: 'compare_template_versions',
      method: 'GET',
      path: `${path}/{version}/comparison`,
      tag,
      summary: 'Compare two versions of a mail template',
      description: 'Both contents, and the members in which they differ.',
      access: reading,
      params,
      query: Type.Object({
        with: Type.Optional(Id('Number of the other version; the newest when left out.')),
      }),
      success: {
        status: 200,
        description: 'Both versions.',
        schema: TemplateVersionComparison,
        example: {
          from: { ...versionDetailExample, version: 2, is_current: false, subject: 'Hello' },
          to: versionDetailExample,
          changed: ['subject'],
        },
      },
      errors: ['mail_template_not_found', 'template_version_not_found'],
      handle: async ({ caller, params: of, query }) =>
        await compareVersions(db, caller.instance.id, { ...of, other: query.with }),
    }),
    operation({
      id: 'restore_template_version',
      method: 'POST',
      path: `${path}/{version}/restore`,
      tag,
      summary: 'Restore a version of a mail template',
      description:
        'Saves its content again, as a version of its own: nothing that came after it is lost. MJML is made into HTML anew. A published template says it from the next send on.',
      access: { kind: 'api_key', scope: 'template:write', role: 'developer' },
      params,
      success: {
        status: 200,
        description: 'The template.',
        schema: MailTemplateDetail,
        example: detailExample,
      },
      errors: ['mail_template_not_found', 'template_version_not_found', 'template_content_required'],
      handle: async (call) =>
        await restoreVersion(db, call.caller.instance.id, {
          id: call.params.template_id,
          version: call.params.version,
          actor: actorOf(call),
          renderer,
        }),
    }),
  ];
}
