import { Conditions } from '../base/db/conditions.ts';
import type { Database, Queryable } from '../base/db/database.ts';
import { requireFreeExternalId } from '../base/db/external-id.ts';
import { Problem } from '../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { makeContent } from './template-content.ts';
import type { TemplateRenderer } from './template-renderer.ts';
import { deleteVersions, getVersion, keepFirstVersion, keepVersion } from './template-versions.ts';
import type {
  MailTemplate,
  MailTemplateChanges,
  MailTemplateDetail,
  NewMailTemplate,
} from './template-schemas.ts';

const audit = auditOf('mail_template');

const listed = 'id, external_id, alias, name, subject, is_published, published_at, created_at, updated_at';
const columns = `${listed}, html, text, editor, source`;

const selectOne = `select ${columns} from mail_templates where instance_id = $1 and id = $2 and deleted_at is null`;

/** Strictly increasing, even within a millisecond or when the clock was set back. */
const nextVersion = `updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 ms')`;

export interface TemplateFilters extends PageRequest {
  name?: string | null;
  is_published?: boolean | null;
  external_id?: string | null;
  alias?: string | null;
}

export async function listTemplates(
  db: Queryable,
  instanceId: number,
  filters: TemplateFilters,
): Promise<PageOf<MailTemplate>> {
  const conditions = new Conditions()
    .where('instance_id = ?', instanceId)
    .contains('name', filters.name)
    .where('is_published = ?', filters.is_published)
    .where('external_id = ?', filters.external_id)
    .where('alias = ?', filters.alias);
  return await selectPage<MailTemplate>(
    db,
    {
      columns: listed,
      source: `from mail_templates where deleted_at is null and ${conditions.sql()}`,
      order_by: 'id',
      values: conditions.values,
      is_short: true,
    },
    filters,
  );
}

export async function getTemplate(
  db: Queryable,
  instanceId: number,
  id: number,
): Promise<MailTemplateDetail> {
  return present(await db.query<MailTemplateDetail>(selectOne, [instanceId, id]));
}

function present([row]: MailTemplateDetail[]): MailTemplateDetail {
  if (!row) throw new Problem('mail_template_not_found');
  return row;
}

export async function createTemplate(
  db: Database,
  instanceId: number,
  { template, actor, renderer }: { template: NewMailTemplate; actor: Actor; renderer: TemplateRenderer },
): Promise<MailTemplateDetail> {
  const { name, editor = 'html', subject = null, source = null, text = null } = template;
  const { external_id = null, alias = null } = template;
  // Outside the transaction: MJML can take seconds.
  const { html } = await makeContent(renderer, instanceId, { edited: { editor, subject, source, text } });
  return await db.transaction(async (tx) => {
    await requireFreeExternalId(tx, instanceId, { table: 'mail_templates', external_id });
    const [created] = await tx.query<MailTemplateDetail>(
      `insert into mail_templates (instance_id, name, subject, editor, source, html, text, external_id, alias)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning ${columns}`,
      [instanceId, name, subject, editor, source, html, text, external_id, alias],
    );
    const { id } = created as MailTemplateDetail;
    if (subject !== null || source !== null || text !== null) {
      await keepVersion(tx, instanceId, {
        template_id: id,
        content: { subject, editor, source, text },
        actor,
      });
    }
    await audit(tx, instanceId, {
      id,
      actor,
      action: 'created',
      details: { name, editor, external_id, alias },
    });
    return created as MailTemplateDetail;
  });
}

interface Change {
  id: number;
  actor: Actor;
}

interface Update extends Change {
  changes: MailTemplateChanges;
  renderer: TemplateRenderer;
  restored_from?: number;
}

const contentMembers: ReadonlySet<string> = new Set(['subject', 'editor', 'source', 'text']);

/** A change of a published template takes effect with the next send; there is no unpublished version beside it. */
export async function updateTemplate(
  db: Database,
  instanceId: number,
  { id, changes, actor, renderer, restored_from }: Update,
): Promise<MailTemplateDetail> {
  for (let attempts = 0; attempts < 5; attempts += 1) {
    const before = await getTemplate(db, instanceId, id);
    const wanted = { ...before, ...changes };
    const changed = Object.keys(changes).filter(
      (key) => wanted[key as keyof MailTemplateChanges] !== before[key as keyof MailTemplateChanges],
    );
    if (changed.length === 0) return before;
    const rewritten = changed.includes('source') || changed.includes('editor');
    const made = rewritten ? undefined : before;
    const after = { ...wanted, ...(await makeContent(renderer, instanceId, { edited: wanted, made })) };
    if (after.is_published) requireContent(after);
    const saved = await db.transaction(async (tx) => {
      const { external_id } = after;
      await requireFreeExternalId(tx, instanceId, { table: 'mail_templates', external_id, of: id });
      const row = await replace(tx, instanceId, { before, after });
      if (!row) return undefined;
      if (changed.some((member) => contentMembers.has(member))) {
        await keepFirstVersion(tx, instanceId, {
          template_id: id,
          content: before,
          saved_at: before.updated_at,
        });
        await keepVersion(tx, instanceId, { template_id: id, content: row, actor, restored_from });
      }
      const details = { changed, ...(restored_from ? { restored_from } : {}) };
      await audit(tx, instanceId, { id, actor, action: 'updated', details });
      return row;
    });
    // Undefined: a concurrent change won; validate again.
    if (saved) return saved;
  }
  throw new Problem('service_unavailable', { retry_after_seconds: 1 });
}

/** Saves the content of a version again. */
export async function restoreVersion(
  db: Database,
  instanceId: number,
  { id, version, ...more }: Change & { version: number; renderer: TemplateRenderer },
): Promise<MailTemplateDetail> {
  const { subject, editor, source, text } = await getVersion(db, instanceId, { template_id: id, version });
  const changes = { subject, editor, source, text };
  return await updateTemplate(db, instanceId, { id, changes, restored_from: version, ...more });
}

async function replace(
  tx: Queryable,
  instanceId: number,
  { before, after }: { before: MailTemplateDetail; after: MailTemplateDetail },
): Promise<MailTemplateDetail | undefined> {
  const { name, subject, editor, source, html, text, external_id, alias } = after;
  const [row] = await tx.query<MailTemplateDetail>(
    `update mail_templates set name = $4, subject = $5, editor = $6, source = $7, html = $8, text = $9,
       external_id = $10, alias = $11, ${nextVersion}
     where instance_id = $1 and id = $2 and updated_at = $3 and deleted_at is null returning ${columns}`,
    [instanceId, before.id, before.updated_at, name, subject, editor, source, html, text, external_id, alias],
  );
  return row;
}

/** Idempotent. */
export async function publishTemplate(
  db: Database,
  instanceId: number,
  { id, actor }: Change,
): Promise<MailTemplateDetail> {
  return await db.transaction(async (tx) => {
    const template = await lockTemplate(tx, instanceId, id);
    if (template.is_published) return template;
    requireContent(template);
    await audit(tx, instanceId, { id, actor, action: 'published' });
    return await set(tx, id, `is_published = true, published_at = date_trunc('milliseconds', now())`);
  });
}

export async function unpublishTemplate(
  db: Database,
  instanceId: number,
  { id, actor }: Change,
): Promise<MailTemplateDetail> {
  return await db.transaction(async (tx) => {
    const template = await lockTemplate(tx, instanceId, id);
    if (!template.is_published) return template;
    await audit(tx, instanceId, { id, actor, action: 'unpublished' });
    return await set(tx, id, 'is_published = false, published_at = null');
  });
}

export async function deleteTemplate(db: Database, instanceId: number, { id, actor }: Change): Promise<void> {
  await db.transaction(async (tx) => {
    const { name } = await lockTemplate(tx, instanceId, id);
    await audit(tx, instanceId, { id, actor, action: 'deleted', details: { name } });
    await deleteVersions(tx, id);
    await set(tx, id, 'deleted_at = now()');
  });
}

async function lockTemplate(tx: Queryable, instanceId: number, id: number): Promise<MailTemplateDetail> {
  return present(await tx.query<MailTemplateDetail>(`${selectOne} for update`, [instanceId, id]));
}

async function set(tx: Queryable, id: number, assignments: string): Promise<MailTemplateDetail> {
  const [row] = await tx.query<MailTemplateDetail>(
    `update mail_templates set ${assignments}, ${nextVersion} where id = $1 returning ${columns}`,
    [id],
  );
  return row as MailTemplateDetail;
}

/** Blank content counts as missing. */
function requireContent({ subject, html }: MailTemplateDetail): void {
  if (!subject?.trim() || !html?.trim()) throw new Problem('template_content_required');
}
