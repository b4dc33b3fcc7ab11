import { createHash } from 'node:crypto';
import type { Queryable } from '../../base/db/database.ts';
import { Problem } from '../../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../../base/http/pagination.ts';
import type { Actor } from '../../audit/index.ts';
import type { ImportedTerm } from '../../consent/index.ts';
import type { ExaminedFile } from './examine-file.ts';
import { type ContactImport, type ContactImportReport, maxRefusedLines } from './import-schemas.ts';
import type { Settled } from './settle-lines.ts';

const columns = `i.id, i.file_name, encode(i.file_sha256, 'hex') as file_sha256, i.file_bytes, i.term_id, i.term_version_id,
  i.purpose_ids, i.method, i.origin, i.consented_at, concat_ws(':', i.actor_kind, i.actor_id) as actor, i.field_keys,
  i.ignored_columns, i.lines, i.lines_done, i.added, i.updated, i.unchanged, i.refused_count, i.created_at, i.finished_at`;

/** Newest first. */
export async function listImports(
  db: Queryable,
  instanceId: number,
  filters: PageRequest,
): Promise<PageOf<ContactImport>> {
  return await selectPage<ContactImport>(
    db,
    {
      columns,
      source: 'from contact_imports i where i.instance_id = $1',
      order_by: 'i.id desc',
      values: [instanceId],
    },
    filters,
  );
}

export async function getImport(
  db: Queryable,
  instanceId: number,
  id: number,
): Promise<ContactImportReport & { id: number }> {
  const [row] = await db.query<ContactImportReport & { id: number }>(
    `select ${columns}, i.refused from contact_imports i where i.instance_id = $1 and i.id = $2`,
    [instanceId, id],
  );
  if (!row) throw new Problem('contact_import_not_found');
  return row;
}

export interface Provenance {
  term: ImportedTerm;
  origin: string;
  consented_at: Date | null;
}

interface Beginning extends Provenance {
  file: ExaminedFile & { name: string | null };
  actor: Actor;
  now: Date;
}

/** The same file with the same provenance is the same import: what of it is settled stays so. */
export async function beginImport(
  tx: Queryable,
  instanceId: number,
  beginning: Beginning,
): Promise<{ id: number; is_new: boolean }> {
  const { file, term, origin, consented_at, actor, now } = beginning;
  const [row] = await tx.query<{ id: number; is_new: boolean }>(
    `insert into contact_imports (instance_id, digest, file_sha256, file_bytes, file_name, term_id, term_version_id,
       purpose_ids, method, origin, consented_at, actor_kind, actor_id, field_keys, ignored_columns, lines, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
     on conflict (instance_id, digest) do update set digest = excluded.digest returning id, xmax = 0 as is_new`,
    [
      instanceId,
      digestOf(beginning),
      file.sha256,
      file.bytes,
      file.name,
      term.term_id,
      term.term_version_id,
      term.purpose_ids,
      term.method,
      origin,
      consented_at,
      actor.kind,
      actor.id ?? null,
      file.columns.fields.map(({ field }) => field.field_key),
      file.columns.ignored,
      file.lines,
      now,
    ],
  );
  return row as { id: number; is_new: boolean };
}

function digestOf({ file, term, origin, consented_at }: Beginning): Buffer {
  const said = [
    file.sha256.toString('hex'),
    term.term_version_id,
    term.purpose_ids.toSorted((a, b) => a - b),
    term.method,
    origin,
    consented_at,
    // A field that was added since is read from the same file.
    file.columns.fields.map(({ field }) => field.field_key),
  ];
  return createHash('sha256').update(JSON.stringify(said)).digest();
}

/** How many lines are settled. The import is locked until the transaction ends, so that each line is settled once. */
export async function lockImport(tx: Queryable, instanceId: number, id: number): Promise<number> {
  const [row] = await tx.query<{ lines_done: number }>(
    'select lines_done from contact_imports where instance_id = $1 and id = $2 for update',
    [instanceId, id],
  );
  if (!row) throw new Problem('contact_import_not_found');
  return row.lines_done;
}

export async function addSettled(
  tx: Queryable,
  instanceId: number,
  { id, lines_done, settled }: { id: number; lines_done: number; settled: Settled },
): Promise<void> {
  await tx.query(
    `update contact_imports set lines_done = $3, added = added + $4, updated = updated + $5, unchanged = unchanged + $6,
       refused_count = refused_count + $7,
       refused = case when $7 > 0 and refused_count < ${maxRefusedLines} then refused || $8::jsonb else refused end
     where instance_id = $1 and id = $2`,
    [
      instanceId,
      id,
      lines_done,
      settled.added,
      settled.updated,
      settled.unchanged,
      settled.refused.length,
      JSON.stringify(settled.refused),
    ],
  );
}
