import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { validationProblem } from '../../base/errors/problem.ts';
import type { FormFile } from '../../base/http/multipart.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { onePage, PageQuery } from '../../base/http/pagination.ts';
import { Id } from '../../base/http/schemas.ts';
import { actorOf } from '../../audit/index.ts';
import { evidenceOf } from '../../consent/index.ts';
import type { ContactFile } from './examine-file.ts';
import { type ImportContext, importContacts } from './import-contacts.ts';
import {
  ContactImport,
  ContactImportReport,
  importExample,
  importReportExample,
  maxFileBytes,
  maxRefusedLines,
  NewContactImport,
} from './import-schemas.ts';
import { getImport, listImports } from './imports.ts';

const tag = 'Contacts';
const path = '/v1/contact-imports';

export function contactImportRoutes(context: ImportContext): Operation[] {
  return [importRoute(context), ...readRoutes(context)];
}

function importRoute(context: ImportContext): Operation {
  return operation({
    id: 'import_contacts',
    method: 'POST',
    path,
    tag,
    summary: 'Import contacts',
    description: `Imports contacts with their consents from a CSV file, given as the file part \`file\` of a form or as text in \`csv\`. The first row names the columns: \`email\`, \`consented_at\`, and fields by their key or name. Without a term, how and where it was agreed to and when, nothing is imported. Each consent becomes evidence with the hash of the file and the line. People who withdrew later, were erased or are blocked are not imported. Lines are stored a few hundred at a time: an import that was interrupted goes on when it is repeated, and one that ended is not done again. The first ${maxRefusedLines} refused lines are told by number.`,
    access: { kind: 'api_key', scope: 'contacts:write', role: 'admin' },
    body: NewContactImport,
    body_example: {
      term_id: 3,
      method: 'single_opt_in',
      origin: 'Paper forms at the counter of the shop, kept in folder 12',
      csv: 'email,consented_at,FIRST_NAME\nana@example.com,2026-11-02,Ana\n',
    },
    max_body_bytes: maxFileBytes + 1024 * 1024,
    multipart: { file_field: 'file', max_file_bytes: maxFileBytes },
    success: {
      status: 200,
      description: 'What became of the lines.',
      schema: ContactImportReport,
      example: importReportExample,
    },
    errors: [
      'request_too_large',
      'consent_term_not_found',
      'consent_term_inactive',
      'consent_term_no_current_version',
      'consent_term_version_not_found',
      'consent_channel_not_covered',
    ],
    handle: async (call) => {
      const { csv, ...asked } = call.body;
      return await importContacts(context, call.caller.instance.id, {
        file: fileOf(call.files, csv),
        asked,
        actor: actorOf(call),
        evidence: evidenceOf(call),
      });
    },
  });
}

function fileOf(files: FormFile[], csv: string | undefined): ContactFile {
  const [file, ...more] = files;
  const content = file?.content ?? (csv === undefined ? undefined : Buffer.from(csv));
  if (content === undefined || more.length > 0) {
    const message = 'Give one file, or its text as csv';
    throw validationProblem([{ pointer: '/file', code: 'missing', message }]);
  }
  const name = file?.filename.slice(0, 255).toWellFormed().replaceAll('\0', '') || null;
  return { name, open: () => Readable.from([content]) };
}

function readRoutes({ db }: ImportContext): Operation[] {
  const access = { kind: 'api_key', scope: 'contacts:read' } as const;
  return [
    operation({
      id: 'list_contact_imports',
      method: 'GET',
      path,
      tag,
      summary: 'List imports of contacts',
      description: 'Newest first, with how far each is: read it to follow one that runs.',
      access,
      query: PageQuery({}),
      success: onePage('imports', ContactImport, importExample),
      errors: [],
      handle: async ({ caller, query }) => await listImports(db, caller.instance.id, query),
    }),
    operation({
      id: 'get_contact_import',
      method: 'GET',
      path: `${path}/{id}`,
      tag,
      summary: 'Read an import of contacts',
      description: 'One import, with the lines that were refused.',
      access,
      params: Type.Object({ id: Id('Identifier of the import.') }),
      success: {
        status: 200,
        description: 'The import.',
        schema: ContactImportReport,
        example: importReportExample,
      },
      errors: ['contact_import_not_found'],
      handle: async ({ caller, params: { id } }) => await getImport(db, caller.instance.id, id),
    }),
  ];
}
