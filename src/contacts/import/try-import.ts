import type { Queryable } from '../../base/db/database.ts';
import { batchesOfFile, inOrder, type Run, settlingOf } from './import-run.ts';
import { type ContactImportReport, maxRefusedLines } from './import-schemas.ts';
import { linesAfter } from './line-batches.ts';
import { settleLines } from './settle-lines.ts';

/** What an import would do, without doing it. A contact that the file repeats counts by its first line. */
export async function tryImport(db: Queryable, instanceId: number, run: Run): Promise<ContactImportReport> {
  const settling = settlingOf(run, undefined);
  const total = { lines_done: 0, added: 0, updated: 0, unchanged: 0, refused_count: 0 };
  const all: ContactImportReport['refused'] = [];
  const seen = new Set<string>();
  for await (const batch of batchesOfFile(run)) {
    const { lines, refused } = linesAfter(batch, 0);
    const fresh = lines.filter(({ email }) => !seen.has(email));
    for (const { email } of fresh) seen.add(email);
    const settled = await settleLines(db, instanceId, { ...settling, lines: fresh });
    const all_refused = inOrder([...refused, ...settled.refused]);
    total.lines_done = batch.end;
    total.added += settled.added;
    total.updated += settled.updated;
    total.unchanged += settled.unchanged + lines.length - fresh.length;
    total.refused_count += all_refused.length;
    if (all.length < maxRefusedLines) all.push(...all_refused);
    run.on_progress?.(batch.end, run.examined.lines);
  }
  return { ...describe(run), ...total, refused: all };
}

function describe({ examined, provenance, file, actor, now }: Run) {
  return {
    id: null,
    file_name: file.name,
    file_sha256: examined.sha256.toString('hex'),
    file_bytes: examined.bytes,
    ...provenance.term,
    origin: provenance.origin,
    consented_at: provenance.consented_at,
    actor: [actor.kind, actor.id].filter(Boolean).join(':'),
    field_keys: examined.columns.fields.map(({ field }) => field.field_key),
    ignored_columns: examined.columns.ignored,
    lines: examined.lines,
    created_at: now,
    finished_at: null,
  };
}
