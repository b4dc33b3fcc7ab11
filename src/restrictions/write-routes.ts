import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { Database } from '../base/db/database.ts';
import { validationProblem } from '../base/errors/problem.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { Id } from '../base/http/schemas.ts';
import { audited } from '../audit/index.ts';
import { addRestriction, removeRestriction } from './change-restrictions.ts';
import { changeRestrictions } from './change-many-restrictions.ts';
import { importRestrictions, maxRefusedLines } from './import-restrictions.ts';
import { getRestriction } from './list-suppressions.ts';
import {
  ImportReport,
  importReportExample,
  maxRestrictionChanges,
  NewRestriction,
  Restriction,
  RestrictionChanges,
  RestrictionCounts,
  restrictionExample,
} from './suppression-schemas.ts';

const tag = 'Suppressions';
const access = { kind: 'api_key', scope: 'restrictions:write', role: 'developer' } as const;
const params = Type.Object({ id: Id('Identifier of the restriction.') });
const manualExample = { ...restrictionExample, reason: 'manual', mail_id: null, detail: 'Asked by phone.' };
const max_file_bytes = 10 * 1024 * 1024;
const RestrictionFile = Type.Object(
  { csv: Type.Optional(Type.String({ maxLength: max_file_bytes, description: 'The file as text.' })) },
  { $id: 'MailRestrictionFile' },
);

interface RestrictionContext {
  db: Database;
}

export function restrictionWriteRoutes(context: RestrictionContext): Operation[] {
  return [...changeRoutes(context), batchRoute(context), importRoute(context)];
}

function changeRoutes({ db }: RestrictionContext): Operation[] {
  return [
    operation({
      id: 'create_restriction',
      method: 'POST',
      path: '/v1/mail-restrictions',
      tag,
      summary: 'Restrict an address',
      description: 'No sender of the instance writes to it from now on.',
      access,
      body: NewRestriction,
      body_example: { recipient: 'ana@example.com', detail: 'Asked by phone.' },
      success: { status: 201, description: 'The restriction.', schema: Restriction, example: manualExample },
      location: '/v1/mail-restrictions/{id}',
      errors: ['mail_restriction_already_exists'],
      handle: async (call) => await audited(db, addRestriction)(call, { restriction: call.body }),
    }),
    operation({
      id: 'get_restriction',
      method: 'GET',
      path: '/v1/mail-restrictions/{id}',
      tag,
      summary: 'Read a restriction',
      description: 'One address that is not written to.',
      access: { kind: 'api_key', scope: 'mail:read' },
      params,
      success: { status: 200, description: 'The restriction.', schema: Restriction, example: manualExample },
      errors: ['mail_restriction_not_found'],
      handle: async ({ caller, params: { id } }) => await getRestriction(db, caller.instance.id, id),
    }),
    operation({
      id: 'delete_restriction',
      method: 'DELETE',
      path: '/v1/mail-restrictions/{id}',
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

function batchRoute({ db }: RestrictionContext): Operation {
  return operation({
    id: 'change_restrictions',
    method: 'POST',
    path: '/v1/mail-restrictions/batch',
    tag,
    summary: 'Restrict many addresses, or lift restrictions',
    description: `Up to ${maxRestrictionChanges.toLocaleString('en')} addresses in one call, added and removed together, all of them or none. What is so already is counted and not refused, so the call can be repeated.`,
    access,
    body: RestrictionChanges,
    body_example: {
      add: [{ recipient: 'ana@example.com', detail: 'Asked by phone.' }],
      remove: ['luis@example.com'],
    },
    success: {
      status: 200,
      description: 'What changed.',
      schema: RestrictionCounts,
      example: { added: 1, already_restricted: 0, removed: 1, not_restricted: 0 },
    },
    errors: [],
    handle: async (call) => await audited(db, changeRestrictions)(call, { changes: call.body }),
  });
}

function importRoute({ db }: RestrictionContext): Operation {
  return operation({
    id: 'import_restrictions',
    method: 'POST',
    path: '/v1/mail-restrictions/import',
    tag,
    summary: 'Import restrictions',
    description: `Restricts every address of a CSV file, given as the file part \`file\` of a form or as text in \`csv\`. Columns are found by their names: \`recipient\` (or \`email\`), \`reason\`, \`detail\`; without names the first column has the addresses. Lines that are refused are told one by one; with more than ${maxRefusedLines} of them nothing is imported.`,
    access,
    body: RestrictionFile,
    body_example: { csv: 'recipient,reason,detail\nana@example.com,manual,Asked by phone.\n' },
    max_body_bytes: max_file_bytes + 1024 * 1024,
    multipart: { file_field: 'file', max_file_bytes },
    success: {
      status: 200,
      description: 'The result of each line.',
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
