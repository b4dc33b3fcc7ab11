import { Problem } from '../../base/errors/problem.ts';
import type { Database } from '../../base/db/database.ts';
import { convertTemplate, exportedTemplate, isObject } from '../../compat/import/exported-template.ts';
import type { VendorName } from '../../compat/vendor.ts';
import { isTemplateAlias } from '../../templates/template-alias.ts';
import { makeContent } from '../../templates/template-content.ts';
import type { TemplateRenderer } from '../../templates/template-renderer.ts';
import { NewMailTemplate } from '../../templates/template-schemas.ts';
import { createTemplate, listTemplates } from '../../templates/templates.ts';
import { createProgress } from '../progress.ts';
import { requireValid } from './require-valid.ts';
import { operator } from './with-store.ts';

export interface TemplateReport {
  file: string;
  name: string;
  alias: string | null;
  /** Of Chasqui; null when it was not imported. */
  id: number | null;
  state: 'imported' | 'present' | 'left_out';
  /** Why it was left out, or what differs. */
  remarks: string[];
}

const maxRemarks = 50;

interface Import {
  vendor: VendorName;
  isDryRun: boolean;
  renderer: TemplateRenderer;
  file: string;
}

export function isTemplate(vendor: VendorName, item: unknown): boolean {
  return isObject(item) && exportedTemplate(vendor, item) !== undefined;
}

export async function importTemplates(
  db: Database,
  instanceId: number,
  { items, ...more }: Import & { items: unknown[] },
): Promise<TemplateReport[]> {
  const reports: TemplateReport[] = [];
  const progress = createProgress('import', process.stderr, (done) => `${done} templates`);
  try {
    for (const item of items) {
      reports.push(await importOne(db, instanceId, { item, ...more }));
      progress.show(reports.length, items.length);
    }
  } finally {
    progress.end();
  }
  return reports;
}

async function importOne(
  db: Database,
  instanceId: number,
  { vendor, item, isDryRun, renderer, file }: Import & { item: unknown },
): Promise<TemplateReport> {
  const exported = isObject(item) ? exportedTemplate(vendor, item) : undefined;
  const name = exported?.name ?? '';
  const report = { file, name, alias: null, id: null, state: 'left_out' as const };
  if (exported === undefined) return { ...report, remarks: [] };
  if ('left_out' in exported) return { ...report, remarks: [exported.left_out] };
  const { template, unknown, differences } = convertTemplate(vendor, exported);
  if (unknown.length > 0) return { ...report, remarks: bounded(unknown) };
  const remarks = bounded(differences);
  if (template.alias === null || !isTemplateAlias(template.alias)) {
    template.alias = null;
    remarks.push('has no alias that fits: sends name it by its id');
  }
  const { alias } = template;
  try {
    requireValid(NewMailTemplate, template);
    const [present] = await find(db, instanceId, { external_id: template.external_id });
    if (present) return { ...report, alias: present.alias, id: present.id, state: 'present', remarks: [] };
    const [other] = alias === null ? [] : await find(db, instanceId, { alias });
    if (other) return { ...report, remarks: [`template ${other.id} has the alias ${alias}`] };
    const id = isDryRun
      ? await tryTemplate(renderer, instanceId, template)
      : (await createTemplate(db, instanceId, { template, actor: operator, renderer })).id;
    return { ...report, alias, id, state: 'imported', remarks };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const rules = error.facts.errors?.map(({ pointer, message }) => `${pointer}: ${message}`);
    return { ...report, remarks: bounded(rules ?? [error.message]) };
  }
}

async function find(
  db: Database,
  instanceId: number,
  by: { external_id: string } | { alias: string },
): Promise<{ id: number; alias: string | null }[]> {
  const { data } = await listTemplates(db, instanceId, { ...by, page_size: 1 });
  return data.map(({ id, alias }) => ({ id, alias }));
}

/** The checks of a creation. */
async function tryTemplate(
  renderer: TemplateRenderer,
  instanceId: number,
  { subject = null, source = null, text = null }: NewMailTemplate,
): Promise<null> {
  await makeContent(renderer, instanceId, { edited: { editor: 'html', subject, source, text } });
  return null;
}

function bounded(remarks: string[]): string[] {
  const more = remarks.length - maxRemarks;
  return more > 0 ? [...remarks.slice(0, maxRemarks), `and ${more} more`] : [...remarks];
}
