import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { Id, Nullable } from '../base/http/schemas.ts';
import { type ExportContext, exportOperation } from '../exports/index.ts';
import {
  ExportedSubmission,
  exportedCsv,
  exportedExample,
  FormSubmission,
  FormSubmissionDetail,
  submissionDetailExample,
  submissionExample,
  submissionFilters,
} from './submission-schemas.ts';
import { getSubmission, listSubmissions, selectSubmissions } from './submissions.ts';

const tag = 'Forms';
const params = Type.Object({ id: Id('Identifier of the form.') });

export function submissionExportRoutes(context: ExportContext): Operation[] {
  return [
    exportOperation(
      {
        id: 'export_form_submissions',
        path: '/v1/forms/{id}/submissions/export',
        tag,
        summary: 'Export the submissions of a form',
        description:
          'Submissions of the form, oldest first: one column per field, named by `field_key`, former fields included. Options are exported by `value`.',
        scope: 'form:read',
        params,
        filters: submissionFilters,
        row: ExportedSubmission,
        example: { json: exportedExample, csv: exportedCsv },
        errors: ['form_not_found'],
        name: 'form-submissions',
        select: async ({ caller: { instance }, params: { id }, query, now }) =>
          await selectSubmissions(context.db, instance.id, {
            form_id: id,
            filters: query,
            timezone: instance.timezone,
            now,
          }),
      },
      context,
    ),
  ];
}

export function submissionPanelRoutes(context: { db: Queryable; clock: Clock }): Operation[] {
  return [listRoute(context), readRoute(context)];
}

function listRoute({ db, clock }: { db: Queryable; clock: Clock }): Operation {
  return operation({
    id: 'panel_list_form_submissions',
    method: 'GET',
    path: '/v1/private/forms/{id}/submissions',
    tag,
    summary: 'List the submissions of a form',
    description: 'What people submitted through the form, newest first.',
    access: { kind: 'user', role: 'viewer' },
    params,
    query: PageQuery({
      ...submissionFilters,
      tz: Type.Optional(Nullable(Type.String({ maxLength: 254, description: 'IANA zone of the dates.' }))),
    }),
    success: onePage('submissions', FormSubmission, submissionExample),
    errors: ['form_not_found'],
    handle: async ({ caller: { instance }, params: { id }, query }) =>
      await listSubmissions(db, instance.id, {
        form_id: id,
        filters: query,
        timezone: instance.timezone,
        now: clock.now(),
      }),
  });
}

function readRoute({ db, clock }: { db: Queryable; clock: Clock }): Operation {
  return operation({
    id: 'panel_get_form_submission',
    method: 'GET',
    path: '/v1/private/forms/{id}/submissions/{submission_id}',
    tag,
    summary: 'Read a submission of a form',
    description: 'What one person submitted, and what they agreed to by it.',
    access: { kind: 'user', role: 'viewer' },
    params: Type.Object({
      ...params.properties,
      submission_id: Id('Identifier of the submission.'),
    }),
    success: {
      status: 200,
      description: 'The submission.',
      schema: FormSubmissionDetail,
      example: submissionDetailExample,
    },
    errors: ['form_not_found', 'form_submission_not_found'],
    handle: async ({ caller: { instance }, params: { id: form_id, submission_id } }) =>
      await getSubmission(db, instance.id, { form_id, submission_id, now: clock.now() }),
  });
}
