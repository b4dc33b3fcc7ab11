import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { ContactHashes } from '../../base/contact-hash.ts';
import { systemClock } from '../../base/clock.ts';
import { importContacts, type ImportContext } from '../../contacts/import/import-contacts.ts';
import { type ContactImportReport, NewContactImport } from '../../contacts/import/import-schemas.ts';
import { readMoment } from '../../contacts/import/read-moment.ts';
import type { Contact } from '../../contacts/contact-schemas.ts';
import { readContact } from '../../contacts/read-contact.ts';
import type { Database } from '../../base/db/database.ts';
import { instance, list, optional, required, wordOf, type Command, type CommandInput } from '../command.ts';
import { createProgress } from '../progress.ts';
import { readRootSecret } from '../root-secret.ts';
import { requireValid } from './require-valid.ts';
import { operator, type StoreContext, withInstance } from './with-store.ts';

const maxBytes = 1024 * 1024 * 1024;

export const contactImport: Command = {
  name: 'contact import',
  arguments: '--instance S --term ID --method M --origin T FILE [--consented-at D] [--dry-run]',
  summary: 'Imports contacts with their consents from a CSV file; repeat it to go on after an interruption.',
  options: {
    instance,
    term: { type: 'string', about: 'Identifier of the term that the people agreed to.' },
    'term-version': { type: 'string', about: 'Identifier of its version (default: the current one).' },
    purposes: { type: 'string', about: 'Identifiers of purposes, with commas (default: all of the term).' },
    method: { type: 'string', about: 'single_opt_in or double_opt_in.' },
    origin: { type: 'string', about: 'How and where the consents were given.' },
    'consented-at': { type: 'string', about: 'When, for lines without a consented_at.' },
    sha256: { type: 'string', about: 'Refuse a file with another SHA-256.' },
    'dry-run': { type: 'boolean', about: 'Tell what would be imported, and import nothing.' },
  },
  example:
    'chasqui contact import --instance acme --term 3 --method single_opt_in --origin "Counter, folder 12" people.csv',
  async run(input) {
    const file = wordOf(input, 'the path of the file');
    const { size } = await stat(file);
    if (size > maxBytes) throw new Error(`${file} has more than 1 GiB.`);
    const asked = readAsked(input);
    const progress = createProgress('import', process.stderr, (done) => `${done} lines`);
    try {
      const report = await withInstance(
        input,
        async (db, { id }, context) =>
          await importContacts(contextOf(db, context), id, {
            file: { name: path.basename(file).slice(0, 255), open: () => createReadStream(file) },
            asked,
            actor: operator,
            evidence: { actor: 'operator' },
            on_progress: (done, total) => progress.show(done, total),
          }),
      );
      return { text: describe(report), json: report };
    } finally {
      progress.end();
    }
  },
};

const contextOf = (db: Database, { config }: StoreContext): ImportContext => ({
  db,
  clock: systemClock,
  hashes: new ContactHashes(readRootSecret(config)),
});

function readAsked(input: CommandInput): NewContactImport {
  const consented_at = optional(input, 'consented-at');
  const at = consented_at === undefined ? undefined : readMoment(consented_at);
  if (consented_at !== undefined && !at)
    throw new Error(`--consented-at ${consented_at} is not an ISO date.`);
  const version = optional(input, 'term-version');
  const purposes = list(optional(input, 'purposes')).map(Number);
  const sha256 = optional(input, 'sha256');
  const asked = {
    term_id: Number(required(input, 'term')),
    method: required(input, 'method'),
    origin: required(input, 'origin'),
    ...(version === undefined ? {} : { term_version_id: Number(version) }),
    ...(purposes.length === 0 ? {} : { purpose_ids: purposes }),
    ...(at ? { consented_at: at.toISOString() } : {}),
    ...(sha256 === undefined ? {} : { file_sha256: sha256 }),
    dry_run: input.options['dry-run'] === true,
  };
  requireValid(NewContactImport, asked);
  return asked as unknown as NewContactImport;
}

function describe(report: ContactImportReport): string {
  const { id, lines, lines_done, added, updated, unchanged, refused_count, refused, ignored_columns } =
    report;
  return [
    id === null ? 'Dry run: nothing is imported.' : `Import ${id}, SHA-256 ${report.file_sha256}`,
    `${lines_done} of ${lines} lines: ${added} consents recorded, ${updated} updated, ${unchanged} unchanged, ${refused_count} refused`,
    ...(ignored_columns.length > 0 ? [`Columns that are no field: ${ignored_columns.join(', ')}`] : []),
    ...refused.map(({ line, reason, column }) => `  line ${line}: ${reason}${column ? ` (${column})` : ''}`),
  ].join('\n');
}

export const contactShow: Command = {
  name: 'contact show',
  arguments: '--instance S ADDRESS',
  summary: 'Shows what is known about an address: fields, consents, suppressions, mails.',
  options: { instance },
  example: 'chasqui contact show --instance acme ana@example.com',
  async run(input) {
    const contact = wordOf(input, 'the address');
    const found = await withInstance(input, async (db, { id }, context) => {
      const { clock, hashes } = contextOf(db, context);
      return await readContact(db, id, { contact, hashes, now: clock.now(), with_requests: true });
    });
    return { text: describeContact(found), json: found };
  },
};

function describeContact({
  contact,
  answers,
  consents,
  suppression,
  mails,
  rights_requests,
}: Contact): string {
  const { restricted, unsubscribed_at, complained_at } = suppression;
  return [
    contact,
    ...answers.map(({ field_key, value }) => `  ${field_key}: ${JSON.stringify(value)}`),
    ...consents.map(
      ({ purpose_code, verdict, decided_at, term_name, version, source }) =>
        `  ${purpose_code}: ${verdict} since ${new Date(decided_at).toISOString()}, ${term_name} ${version}, ${source}`,
    ),
    ...(restricted ? [`  restricted: ${restricted.reason}`] : []),
    ...(unsubscribed_at ? [`  unsubscribed: ${new Date(unsubscribed_at).toISOString()}`] : []),
    ...(complained_at ? [`  complained: ${new Date(complained_at).toISOString()}`] : []),
    `  ${mails.length} of the newest mails, ${rights_requests?.length ?? 0} privacy requests`,
  ].join('\n');
}
