import { open } from 'node:fs/promises';
import type { Queryable } from '../../base/db/database.ts';
import { suppressedEntry, type Entry } from '../../compat/import/suppressed-entry.ts';
import type { VendorName } from '../../compat/vendor.ts';
import {
  importRows,
  restrictionRow,
  type Refusal,
  type RestrictionRow,
} from '../../restrictions/import-restrictions.ts';
import { choice, instance, type Command, type CommandInput } from '../command.ts';
import { entryOf, openSource, type ImportSource } from './import-source.ts';
import { importTemplates, isTemplate, type TemplateReport } from './import-templates.ts';
import { operator, withInstance } from './with-store.ts';

const reasons = ['hard_bounce', 'complaint', 'manual'] as const;
/** Of a file; those beyond are counted. */
const maxListed = 10_000;

interface LeftOut {
  file: string;
  line: number;
  value: string;
  reason: string;
}

interface SuppressionReport {
  rows: number;
  added: number;
  already_restricted: number;
  left_out: number;
}

interface Report {
  dry_run: boolean;
  suppressions: SuppressionReport;
  templates: TemplateReport[];
  left_out: LeftOut[];
}

function importCommand(vendor: VendorName, title: string): Command {
  return {
    name: `import ${vendor}`,
    arguments: '--instance S FILE… [--dry-run] [--reason R]',
    summary: `Imports suppression lists (CSV, JSON) and templates (JSON, as drafts) that ${title} exported.`,
    options: {
      instance,
      'dry-run': { type: 'boolean', about: 'Tell what would be imported, and import nothing.' },
      reason: {
        type: 'string',
        about: 'Reason of every restriction: hard_bounce, complaint or manual (default: what the file says).',
      },
    },
    example: `chasqui import ${vendor} --instance acme suppressions.csv template.json --dry-run`,
    async run(input) {
      const report = await importFiles(vendor, input);
      return { text: describe(report), json: report };
    },
  };
}

export const importResend = importCommand('resend', 'Resend');
export const importPostmark = importCommand('postmark', 'Postmark');
export const importSendgrid = importCommand('sendgrid', 'SendGrid');

async function importFiles(vendor: VendorName, input: CommandInput): Promise<Report> {
  const forced = choice(input, 'reason', reasons);
  const isDryRun = input.options['dry-run'] === true;
  if (input.words.length === 0) throw new Error('Give the path of at least one file.');
  const suppressions = { rows: 0, added: 0, already_restricted: 0, left_out: 0 };
  const report: Report = { dry_run: isDryRun, suppressions, templates: [], left_out: [] };
  await withInstance(input, async (db, { id }, { renderer }) => {
    for (const path of input.words) {
      await using file = await open(path);
      const source = await openSource(file, path);
      const leftOut: LeftOut[] = [];
      const leaveOut = (line: number, value: string, reason: string): void => {
        suppressions.left_out += 1;
        if (leftOut.length < maxListed)
          leftOut.push({ file: path, line, value: value.slice(0, 254).toWellFormed(), reason });
      };
      const rows = await unlessEmpty(source, readRows(source, { vendor, forced, leaveOut }));
      await db.transaction(async (tx) => {
        const { added, already_restricted, refused } = await importUnlessDry(tx, id, { rows, isDryRun });
        suppressions.added += added;
        suppressions.already_restricted += already_restricted;
        for (const { line, value, reason } of refused) leaveOut(line, value, reason);
      });
      report.left_out.push(...leftOut);
      if (source.kind === 'csv') continue;
      const items = source.items.filter((item) => isTemplate(vendor, item));
      report.templates.push(
        ...(await importTemplates(db, id, { vendor, items, isDryRun, renderer, file: path })),
      );
    }
  });
  suppressions.rows = suppressions.added + suppressions.already_restricted + suppressions.left_out;
  return report;
}

type Rows = AsyncIterable<RestrictionRow | Refusal>;

/** A dry run does all of it and takes it back, so that it counts what a real one would. */
async function importUnlessDry(
  tx: Queryable,
  instanceId: number,
  { rows, isDryRun }: { rows: Rows | undefined; isDryRun: boolean },
): ReturnType<typeof importRows> {
  if (rows === undefined) return { rows: 0, added: 0, already_restricted: 0, refused: [] };
  if (isDryRun) await tx.query('savepoint dry_run');
  const report = await importRows(tx, instanceId, { rows, actor: operator });
  if (isDryRun) await tx.query('rollback to savepoint dry_run');
  return report;
}

/** A file of templates is not audited as an import of restrictions. */
async function unlessEmpty(
  { kind }: ImportSource,
  rows: AsyncGenerator<RestrictionRow | Refusal>,
): Promise<Rows | undefined> {
  if (kind === 'csv') return rows;
  const first = await rows.next();
  return first.done === true ? undefined : withFirst(first.value, rows);
}

async function* withFirst<Row>(first: Row, rest: AsyncGenerator<Row>): AsyncGenerator<Row> {
  yield first;
  yield* rest;
}

interface Reading {
  vendor: VendorName;
  forced: (typeof reasons)[number] | null;
  leaveOut: (line: number, value: string, reason: string) => void;
}

async function* readRows(
  source: ImportSource,
  { vendor, forced, leaveOut }: Reading,
): AsyncGenerator<RestrictionRow | Refusal> {
  for await (const { line, entry, item } of placed(source)) {
    if (entry === undefined) {
      if (!isTemplate(vendor, item)) leaveOut(line, '', 'neither a suppression nor a template');
      continue;
    }
    const found = suppressedEntry(vendor, entry, forced);
    if ('left_out' in found) leaveOut(line, found.address, found.left_out);
    else yield restrictionRow({ line, ...found });
  }
}

async function* placed(
  source: ImportSource,
): AsyncGenerator<{ line: number; entry: Entry | undefined; item?: unknown }> {
  if (source.kind === 'csv') {
    yield* source.entries;
    return;
  }
  for (const [index, item] of source.items.entries()) yield { line: index + 1, entry: entryOf(item), item };
}

function describe({ dry_run, suppressions, templates, left_out }: Report): string {
  const { rows, added, already_restricted } = suppressions;
  const imported = templates.filter(({ state }) => state === 'imported').length;
  const present = templates.filter(({ state }) => state === 'present').length;
  return [
    ...(dry_run ? ['Dry run: nothing is imported.'] : []),
    `${rows} addresses: ${added} added, ${already_restricted} restricted already, ${suppressions.left_out} left out`,
    ...left_out.map(
      ({ file, line, value, reason }) => `  ${file}, ${line}: ${reason}: ${JSON.stringify(value)}`,
    ),
    `${templates.length} templates: ${imported} imported as drafts, ${present} there already, ${templates.length - imported - present} left out`,
    ...templates.flatMap(({ name, state, remarks }) => [
      `  ${JSON.stringify(name)}: ${state === 'present' ? 'there already' : state.replace('_', ' ')}`,
      ...remarks.map((remark) => `    ${remark}`),
    ]),
  ].join('\n');
}
