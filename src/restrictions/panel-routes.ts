import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { validationProblem } from '../base/errors/problem.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { Id } from '../base/http/schemas.ts';
import { audited } from '../audit/index.ts';
import { addRestriction, removeRestriction } from './change-restrictions.ts';
import { importRestrictions, max_refused_lines } from './import-restrictions.ts';
import { getRestriction } from './list-suppressions.ts';
import {
  ImportReport,
  importReportExample,
  NewRestriction,
  Restriction,
  restrictionExample,
} from './suppression-schemas.ts';

const tag = 'Suppressions';
const access = { kind: 'user', role: 'developer' } as const;
const params = Type.Object({ id: Id('Identifier of the restriction.') });
const manualExample = { ...restrictionExample, reason: 'manual', mail_id: null, detail: 'Asked by phone.' };
const max_file_bytes = 10 * 1024 * 1024;

interface SuppressionPanelContext {
  db: Database;
  clock: Clock;
}

export function suppressionPanelRoutes(context: SuppressionPanelContext): Operation[] {
  return [...changeRoutes(context), importRoute(context)];
}

function changeRoutes({ db }: SuppressionPanelContext): Operation[] {
  return [
    operation({
      id: 'panel_create_restriction',
      method: 'POST',
      path: '/v1/private/mail-restrictions',
      tag,
      summary: 'Restrict an address',
      description: 'No sender of the instance writes to it from now on.',
      access,
      body: NewRestriction,
      body_example: { recipient: 'ana@example.com', detail: 'Asked by phone.' },
      success: { status: 201, description: 'The restriction.', schema: Restriction, example: manualExample },
      location: '/v1/private/mail-restrictions/{id}',
      errors: ['mail_restriction_already_exists'],
      handle: async (call) => await audited(db, addRestriction)(call, { restriction: call.body }),
    }),
    operation({
      id: 'panel_get_restriction',
      method: 'GET',
      path: '/v1/private/mail-restrictions/{id}',
      tag,
      summary: 'Read a restriction',
      description: 'One address that is not written to.',
      access: { kind: 'user', role: 'viewer' },
      params,
      success: { status: 200, description: 'The restriction.', schema: Restriction, example: manualExample },
      errors: ['mail_restriction_not_found'],
      handle: async ({ caller, params: { id } }) => await getRestriction(db, caller.instance.id, id),
    }),
    operation({
      id: 'panel_delete_restriction',
      method: 'DELETE',
      path: '/v1/private/mail-restrictions/{id}',
      tag,
      summary: 'Lift a restriction',
      description: 'The address is written to again; what was dropped meanwhile stays dropped.',
      access,
      params,
      success: { status: 204, description: 'Lifted.' },
      errors: ['mail_restriction_not_found'],
      handle: async (call) =>
        await audited(db, removeRestriction)(call, { restriction: { id: call.params.id } }),
    }),
  ];
}

function importRoute({ db }: SuppressionPanelContext): Operation {
  return operation({
    id: 'panel_import_restrictions',
    method: 'POST',
    path: '/v1/private/mail-restrictions/import',
    tag,
    summary: 'Import restrictions',
    description: `Restricts every address of a CSV file, given as the file part \`file\` of a form or as text in \`csv\`. Columns are found by their names: \`recipient\` (or \`email\`), \`reason\`, \`detail\`; without names the first column has the addresses. Lines that are refused are told one by one; with more than ${max_refused_lines} of them nothing is imported.`,
    access,
    body: Type.Object({
      csv: Type.Optional(Type.String({ maxLength: max_file_bytes, description: 'The file as text.' })),
    }),
    body_example: { csv: 'recipient,reason,detail\nana@example.com,manual,Asked by phone.\n' },
    max_body_bytes: max_file_bytes + 1024 * 1024,
    multipart: { file_field: 'file', max_file_bytes },
    success: {
      status: 200,
      description: 'What became of each line.',
      schema: ImportReport,
      example: importReportExample,
    },
    errors: ['request_too_large'],
    handle: async (call) => {
      const [bytes = call.body.csv, ...more] = call.files.map(({ content }) => content);
      if (bytes === undefined || more.length > 0) {
        const message = 'Give one file, or its text as csv';
        throw validationProblem([{ pointer: '/file', code: 'missing', message }]);
      }
      return await audited(db, importRestrictions)(call, { file: Readable.from([Buffer.from(bytes)]) });
    },
  });
}
