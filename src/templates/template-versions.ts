import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import type { Actor } from '../audit/index.ts';
import type { EditedContent } from './template-content.ts';
import type { TemplateVersion, TemplateVersionComparison, TemplateVersionDetail } from './version-schemas.ts';

/** Kept of one template; the newest always is. */
const maxVersions = 50;
const max_bytes = 20 * 1024 * 1024;

const listed = `v.version, v.subject, v.editor, v.size_bytes, v.restored_from, v.created_at, v.actor_kind, v.actor_id,
  u.email as actor_email, v.version = max(v.version) over () as is_current`;
const source = `from template_versions v
  left join users u on u.id = case when v.actor_kind = 'user' then v.actor_id::bigint end`;

interface Saved {
  template_id: number;
  content: EditedContent;
  actor: Actor;
  restored_from?: number | undefined;
  /** When it was saved; now unless it was before. */
  saved_at?: Date;
}

/** Call it in the transaction of the save, which holds the lock of the template's row. */
export async function keepVersion(tx: Queryable, instanceId: number, saved: Saved): Promise<void> {
  const { template_id, content, actor, restored_from, saved_at } = saved;
  const { subject, editor, source: written, text } = content;
  await tx.query(
    `insert into template_versions (instance_id, template_id, version, subject, editor, source, text, size_bytes,
       restored_from, actor_kind, actor_id, created_at)
     select $1, $2, 1 + coalesce(max(version), 0), $3, $4, $5, $6, coalesce(octet_length($5), 0) + coalesce(octet_length($6), 0),
       $7, $8, $9, coalesce($10::timestamptz, date_trunc('milliseconds', now()))
     from template_versions where template_id = $2`,
    [
      instanceId,
      template_id,
      subject,
      editor,
      written,
      text,
      restored_from ?? null,
      actor.kind,
      actor.id ?? null,
      saved_at ?? null,
    ],
  );
  await tx.query(
    `delete from template_versions where id in (
       select id from (
         select id, row_number() over newest as place, sum(size_bytes) over newest as bytes
         from template_versions where template_id = $1 window newest as (order by version desc)
       ) ranked where place > ${maxVersions} or (place > 1 and bytes > ${max_bytes}))`,
    [template_id],
  );
}

/** Templates that were saved before versions were kept have none: their content becomes the first. */
export async function keepFirstVersion(
  tx: Queryable,
  instanceId: number,
  { template_id, content, saved_at }: { template_id: number; content: EditedContent; saved_at: Date },
): Promise<void> {
  const known = await tx.query('select from template_versions where template_id = $1 limit 1', [template_id]);
  if (known.length > 0) return;
  await keepVersion(tx, instanceId, { template_id, content, saved_at, actor: { kind: 'system' } });
}

export async function deleteVersions(tx: Queryable, templateId: number): Promise<void> {
  await tx.query('delete from template_versions where template_id = $1', [templateId]);
}

/** Newest first. */
export async function listVersions(
  db: Queryable,
  instanceId: number,
  { template_id, ...page }: PageRequest & { template_id: number },
): Promise<PageOf<TemplateVersion>> {
  await requireTemplate(db, instanceId, template_id);
  return await selectPage<TemplateVersion>(
    db,
    {
      columns: listed,
      source: `${source} where v.instance_id = $1 and v.template_id = $2`,
      order_by: 'v.version desc',
      values: [instanceId, template_id],
    },
    page,
  );
}

export async function getVersion(
  db: Queryable,
  instanceId: number,
  { template_id, version }: { template_id: number; version: number },
): Promise<TemplateVersionDetail> {
  await requireTemplate(db, instanceId, template_id);
  const [row] = await db.query<TemplateVersionDetail>(
    `select * from (
       select ${listed}, v.source, v.text ${source} where v.instance_id = $1 and v.template_id = $2
     ) versions where version = $3::bigint`,
    [instanceId, template_id, version],
  );
  if (!row) throw new Problem('template_version_not_found');
  return row;
}

const compared = ['subject', 'editor', 'source', 'text'] as const;

/** Two versions with their contents; the second is the newest unless it is named. */
export async function compareVersions(
  db: Queryable,
  instanceId: number,
  { template_id, version, other }: { template_id: number; version: number; other: number | undefined },
): Promise<TemplateVersionComparison> {
  const from = await getVersion(db, instanceId, { template_id, version });
  const to = await getVersion(db, instanceId, {
    template_id,
    version: other ?? (await newestVersion(db, template_id)),
  });
  return { from, to, changed: compared.filter((member) => from[member] !== to[member]) };
}

async function newestVersion(db: Queryable, templateId: number): Promise<number> {
  const [row] = await db.query<{ version: number }>(
    'select version from template_versions where template_id = $1 order by version desc limit 1',
    [templateId],
  );
  return row?.version ?? 0;
}

async function requireTemplate(db: Queryable, instanceId: number, id: number): Promise<void> {
  const found = await db.query(
    'select from mail_templates where instance_id = $1 and id = $2 and deleted_at is null',
    [instanceId, id],
  );
  if (found.length === 0) throw new Problem('mail_template_not_found');
}
