import { Type } from 'typebox';
import type { Database } from '../base/db/database.ts';
import type { Caller } from '../base/http/access.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { replacement, type ResourceCall } from '../base/http/replacement.ts';
import { Id } from '../base/http/schemas.ts';
import { actorOf } from '../audit/index.ts';
import { refuseBeyond, type SharedBuckets } from '../limits/index.ts';
import { previewTemplate } from './preview-template.ts';
import { contentExample, detailExample, draftExample, newExample } from './template-examples.ts';
import type { TemplateRenderer } from './template-renderer.ts';
import {
  MailTemplateChanges,
  MailTemplateDetail,
  MailTemplateDraft,
  MailTemplatePreview,
  NewMailTemplate,
} from './template-schemas.ts';
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  publishTemplate,
  unpublishTemplate,
  updateTemplate,
} from './templates.ts';

const tag = 'Templates';
const path = '/v1/mail-templates/{template_id}' as const;
const params = Type.Object({ template_id: Id('Identifier of the template.') });
const access = { kind: 'api_key', scope: 'template:write', role: 'developer' } as const;
/** HTML and text of 5 MB each, and their JSON encoding. */
const max_body_bytes = 20 * 1024 * 1024;

interface TemplatesContext {
  db: Database;
  renderer: TemplateRenderer;
  buckets: SharedBuckets;
  /** Per caller and instance. */
  previews_per_minute: number;
}

export function templateWriteRoutes(context: TemplatesContext): Operation[] {
  const { db } = context;
  return [previewRoute(context), ...editingRoutes(context), ...publicationRoutes(db)];
}

function previewRoute({ renderer, buckets, previews_per_minute }: TemplatesContext): Operation {
  return operation({
    id: 'preview_template',
    method: 'POST',
    path: '/v1/mail-templates/preview',
    tag,
    summary: 'Show what a template would look like',
    description:
      'Renders the content for a sample recipient, or for the one given. Nothing is saved. Each key and each person has a number of previews a minute, 120 unless the operator set another; beyond it the answer is 429.',
    access,
    body: MailTemplateDraft,
    body_example: {
      ...contentExample,
      recipient: { email: 'ana@example.com', name: 'Ana' },
      template_variables: { order: { number: 1001 } },
    },
    max_body_bytes,
    success: {
      status: 200,
      description: 'What the recipient would get.',
      schema: MailTemplatePreview,
      example: {
        subject: 'Welcome, Ana',
        html: '<p>Hello Ana</p>',
        text: 'Hello Ana',
      },
    },
    errors: [],
    handle: async ({ body, caller }) => {
      await limitPreviews(buckets, caller, previews_per_minute);
      return await previewTemplate(renderer, caller.instance.id, body);
    },
  });
}

function editingRoutes({ db, renderer }: TemplatesContext): Operation[] {
  return [
    operation({
      id: 'create_template',
      method: 'POST',
      path: '/v1/mail-templates',
      tag,
      summary: 'Create a mail template',
      description:
        'It begins as a draft, which needs no more than a name. MJML is made into HTML here: its mistakes are answered with 422, each with its line.',
      access,
      body: NewMailTemplate,
      body_example: newExample,
      max_body_bytes,
      success: { status: 201, description: 'The draft.', schema: MailTemplateDetail, example: draftExample },
      location: '/v1/mail-templates/{id}',
      errors: ['external_id_already_exists', 'template_alias_already_exists'],
      handle: async (call) =>
        await createTemplate(db, call.caller.instance.id, {
          template: call.body,
          actor: actorOf(call),
          renderer,
        }),
    }),
    ...updateRoutes({ db, renderer }),
    operation({
      id: 'delete_template',
      method: 'DELETE',
      path,
      tag,
      summary: 'Delete a mail template',
      description:
        'Sends with its id or its alias are refused from then on. Mail already accepted is still delivered.',
      access,
      params,
      success: { status: 204, description: 'Deleted.' },
      errors: ['mail_template_not_found'],
      handle: async (call) =>
        await deleteTemplate(db, call.caller.instance.id, {
          id: call.params.template_id,
          actor: actorOf(call),
        }),
    }),
  ];
}

function updateRoutes({ db, renderer }: Pick<TemplatesContext, 'db' | 'renderer'>): Operation[] {
  const apply = async (call: ResourceCall<typeof params>, changes: MailTemplateChanges) =>
    await updateTemplate(db, call.caller.instance.id, {
      id: call.params.template_id,
      changes,
      actor: actorOf(call),
      renderer,
    });
  const patch = operation({
    id: 'update_template',
    method: 'PATCH',
    path,
    tag,
    summary: 'Change a mail template',
    description:
      'What is left out stays. A published template stays published, and the change holds from the next send on; mail already accepted keeps its content.',
    access,
    params,
    body: MailTemplateChanges,
    body_example: { subject: 'Welcome to Acme, {{ recipient.name }}' },
    max_body_bytes,
    success: {
      status: 200,
      description: 'The template.',
      schema: MailTemplateDetail,
      example: detailExample,
    },
    errors: [
      'mail_template_not_found',
      'template_content_required',
      'external_id_already_exists',
      'template_alias_already_exists',
    ],
    handle: async (call) => await apply(call, call.body),
  });
  const put = replacement({
    patch,
    $id: 'MailTemplateReplacement',
    summary: 'Replace a mail template',
    params,
    creation: NewMailTemplate,
    changes: MailTemplateChanges,
    // It is made of the source: another one would be lost.
    fixed: ['html'],
    read: async ({ caller, params: { template_id } }) =>
      await getTemplate(db, caller.instance.id, template_id),
    apply,
  });
  return [patch, put];
}

function publicationRoutes(db: Database): Operation[] {
  const success = { status: 200, description: 'The template.', schema: MailTemplateDetail } as const;
  return [
    operation({
      id: 'publish_template',
      method: 'POST',
      path: `${path}/publish`,
      tag,
      summary: 'Publish a mail template',
      description:
        'From then on it can be sent. It needs a subject and content. Publishing it again changes nothing.',
      access,
      params,
      success: { ...success, example: detailExample },
      errors: ['mail_template_not_found', 'template_content_required'],
      handle: async (call) =>
        await publishTemplate(db, call.caller.instance.id, {
          id: call.params.template_id,
          actor: actorOf(call),
        }),
    }),
    operation({
      id: 'unpublish_template',
      method: 'POST',
      path: `${path}/unpublish`,
      tag,
      summary: 'Make a mail template a draft again',
      description: 'From then on only sends in `test_mode` may use it.',
      access,
      params,
      success: { ...success, example: draftExample },
      errors: ['mail_template_not_found'],
      handle: async (call) =>
        await unpublishTemplate(db, call.caller.instance.id, {
          id: call.params.template_id,
          actor: actorOf(call),
        }),
    }),
  ];
}

/** A preview parses and renders each time, MJML included. 0 turns the limit off. */
export async function limitPreviews(
  buckets: SharedBuckets,
  { instance, actor }: Caller,
  perMinute: number,
): Promise<void> {
  if (perMinute === 0) return;
  const key = `previews ${instance.id} ${actor.id}`;
  refuseBeyond(await buckets.take(key, 1, { rate: perMinute / 60, burst: perMinute }));
}
