import { Type, type Static } from 'typebox';
import { DateTime, Enum, Id, Nullable } from '../../base/http/schemas.ts';
import { methods } from '../../consent/index.ts';

/** Of a file over HTTP; the command line takes larger ones. */
export const maxFileBytes = 10 * 1024 * 1024;
/** Those beyond are only counted. */
export const maxRefusedLines = 10_000;

const refusals = [
  'invalid_email',
  'invalid_value',
  'consented_at_missing',
  'consented_at_invalid',
  'consented_at_future',
  'withdrew',
  'erased',
  'blocked',
] as const;

const Refusal = Type.Object(
  {
    line: Type.Integer({ description: 'In the file, counted from 1.' }),
    reason: Enum(refusals, {
      description:
        '`withdrew`: the person withdrew the consent, unsubscribed or complained later than the file says that they agreed. `erased`, `blocked`: by a privacy request of the person.',
    }),
    column: Nullable(Type.String({ description: '`field_key` of a value that the field does not take.' })),
  },
  { $id: 'ContactImportRefusal' },
);
export type Refusal = Static<typeof Refusal>;

const provenance = {
  term_id: Id('The term that the contacts of the file agreed to.'),
  method: Enum(methods, { description: 'How they agreed.' }),
  origin: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: String.raw`\S`,
    description: 'How and where the consents were given; it becomes part of the evidence.',
    examples: ['Paper forms at the counter of the shop in Valparaíso, kept in folder 12'],
  }),
};

export const NewContactImport = Type.Object(
  {
    ...provenance,
    term_version_id: Type.Optional(
      Nullable(Id('The version that they agreed to; the current one when left out.')),
    ),
    purpose_ids: Type.Optional(
      Nullable(
        Type.Array(Type.Integer(), {
          minItems: 1,
          maxItems: 100,
          description: 'Purposes of the term that they agreed to; all enabled ones when left out.',
        }),
      ),
    ),
    consented_at: Type.Optional(
      Nullable(
        DateTime(
          'When they agreed, for lines without a `consented_at` of their own. One of both is required.',
        ),
      ),
    ),
    file_sha256: Type.Optional(
      Nullable(
        Type.String({
          pattern: '^[0-9a-fA-F]{64}$',
          description: 'SHA-256 of the file. A file that arrives with another one is refused.',
        }),
      ),
    ),
    dry_run: Type.Optional(
      Nullable(Type.Boolean({ description: 'Tell what would be imported, and import nothing.' })),
    ),
    csv: Type.Optional(
      Type.String({ maxLength: maxFileBytes, description: 'The file as text, in place of a file part.' }),
    ),
  },
  { $id: 'NewContactImport' },
);
export type NewContactImport = Static<typeof NewContactImport>;

const count = (description: string) => Type.Integer({ description });

const properties = {
  id: Id('Identifier of the import.'),
  file_name: Nullable(Type.String()),
  file_sha256: Type.String({ description: 'SHA-256 of the file as it arrived, hexadecimal.' }),
  file_bytes: count('Size of the file.'),
  ...provenance,
  term_version_id: Id('The version that was agreed to.'),
  purpose_ids: Type.Array(Type.Integer()),
  consented_at: Nullable(DateTime('Of lines that do not say when.')),
  actor: Type.String({ description: 'Who imported it: `user:7`, `api_key:…`, `operator`.' }),
  field_keys: Type.Array(Type.String(), { description: 'Fields that the file has a column for.' }),
  ignored_columns: Type.Array(Type.String(), { description: 'Columns that are no field.' }),
  lines: count('Lines with contacts.'),
  lines_done: count('Of them, those that are settled.'),
  added: count('Lines whose consent was recorded.'),
  updated: count('Lines whose consent stood already, with new values of fields.'),
  unchanged: count('Lines that brought nothing new.'),
  refused_count: count('Lines that were refused.'),
  created_at: DateTime('When it began.'),
  finished_at: Nullable(
    DateTime('When its last line was settled; null while it runs or if it was interrupted.'),
  ),
};

export const ContactImport = Type.Object(properties, { $id: 'ContactImport' });
export type ContactImport = Static<typeof ContactImport>;

export const ContactImportReport = Type.Object(
  {
    ...properties,
    id: Nullable(Id('Identifier of the import; null after a dry run.')),
    refused: Type.Array(Refusal, {
      description: `The first ${maxRefusedLines} refused lines, without what they say.`,
    }),
  },
  { $id: 'ContactImportReport' },
);
export type ContactImportReport = Static<typeof ContactImportReport>;

export const importExample = {
  id: 4,
  file_name: 'subscribers.csv',
  file_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  file_bytes: 48_211,
  term_id: 3,
  term_version_id: 5,
  purpose_ids: [1],
  method: 'double_opt_in',
  origin: 'Newsletter of the previous service, exported on 2026-11-30',
  consented_at: null,
  actor: 'user:7',
  field_keys: ['FIRST_NAME', 'CITY'],
  ignored_columns: ['Member rating'],
  lines: 1_000,
  lines_done: 1_000,
  added: 940,
  updated: 12,
  unchanged: 45,
  refused_count: 3,
  created_at: '2026-12-01T12:00:00.000Z',
  finished_at: '2026-12-01T12:00:02.000Z',
};

export const importReportExample = {
  ...importExample,
  refused: [{ line: 17, reason: 'withdrew', column: null }],
};
