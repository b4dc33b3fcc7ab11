import type { Clock } from '../../base/clock.ts';
import type { ContactHashes } from '../../base/contact-hash.ts';
import type { Database } from '../../base/db/database.ts';
import { validationProblem } from '../../base/errors/problem.ts';
import { recordAudit } from '../../audit/index.ts';
import { findImportableTerm } from '../../consent/index.ts';
import { examineFile, type ExaminedFile } from './examine-file.ts';
import { batchesOfFile, type Importing, inOrder, type Run, settlingOf } from './import-run.ts';
import type { ContactImportReport } from './import-schemas.ts';
import { addSettled, beginImport, getImport, lockImport } from './imports.ts';
import { linesAfter } from './line-batches.ts';
import { settleLines } from './settle-lines.ts';
import { tryImport } from './try-import.ts';

export interface ImportContext {
  db: Database;
  clock: Clock;
  hashes: ContactHashes;
}

/**
 * Imports contacts with their consents, a few hundred lines per transaction. An import that was interrupted goes on when it is
 * repeated, one that ended is not done again.
 */
export async function importContacts(
  context: ImportContext,
  instanceId: number,
  importing: Importing,
): Promise<ContactImportReport> {
  const { db, clock, hashes } = context;
  const { file, asked, actor } = importing;
  const now = clock.now();
  const term = { ...(await findImportableTerm(db, instanceId, asked)), method: asked.method };
  const consented_at = asked.consented_at ? new Date(asked.consented_at) : null;
  const examined = await examineFile(db, instanceId, file);
  requireProvenance(examined, { consented_at, file_sha256: asked.file_sha256, now });
  const provenance = { term, origin: asked.origin.trim(), consented_at };
  const run = { ...importing, examined, provenance, hashes, now };
  if (asked.dry_run === true) return await tryImport(db, instanceId, run);
  const { id, is_new } = await beginImport(db, instanceId, {
    ...provenance,
    file: { ...examined, name: file.name },
    actor,
    now,
  });
  if (is_new) await audit(db, instanceId, { ...run, id, action: 'contact_import.started' });
  await settleAll(db, instanceId, { ...run, id });
  return await getImport(db, instanceId, id);
}

/** An import without provenance is refused: when the people agreed has to be known, too. */
function requireProvenance(
  { columns, sha256 }: ExaminedFile,
  given: { consented_at: Date | null; file_sha256: string | null | undefined; now: Date },
): void {
  const fail = (pointer: string, code: string, message: string): never => {
    throw validationProblem([{ pointer, code, message }]);
  };
  if (columns.consented_at === -1 && given.consented_at === null) {
    fail('/consented_at', 'missing', 'Neither the import nor the file says when the people agreed');
  }
  if (given.consented_at && given.consented_at > given.now) {
    fail('/consented_at', 'value_error.date', 'People cannot have agreed in the future');
  }
  if (given.file_sha256 && given.file_sha256.toLowerCase() !== sha256.toString('hex')) {
    fail('/file_sha256', 'value_error.sha256', 'The file that arrived has another hash');
  }
}

/** Several callers may do it at the same time: each batch is settled by one of them. */
async function settleAll(db: Database, instanceId: number, run: Run & { id: number }): Promise<void> {
  const { id, examined } = run;
  const settling = settlingOf(run, id);
  for await (const batch of batchesOfFile(run)) {
    const { end } = batch;
    await db.transaction(async (tx) => {
      const done = await lockImport(tx, instanceId, id);
      if (done >= end) return;
      const { lines, refused } = linesAfter(batch, done);
      const settled = await settleLines(tx, instanceId, { ...settling, lines });
      settled.refused = inOrder([...refused, ...settled.refused]);
      await addSettled(tx, instanceId, { id, lines_done: end, settled });
    });
    run.on_progress?.(end, examined.lines);
  }
  await finish(db, instanceId, run);
}

async function finish(db: Database, instanceId: number, run: Run & { id: number }): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await tx.query(
      `update contact_imports set finished_at = now()
       where instance_id = $1 and id = $2 and finished_at is null and lines_done = lines returning id`,
      [instanceId, run.id],
    );
    if (ended.length > 0) await audit(tx, instanceId, { ...run, action: 'contact_import.finished' });
  });
}

async function audit(
  tx: Parameters<typeof recordAudit>[0],
  instanceId: number,
  { id, action, actor, examined, provenance, file }: Run & { id: number; action: string },
): Promise<void> {
  await recordAudit(tx, {
    instance_id: instanceId,
    actor,
    action,
    object: { kind: 'contact_import', id: String(id) },
    details: {
      file_name: file.name,
      file_sha256: examined.sha256.toString('hex'),
      lines: examined.lines,
      term_id: provenance.term.term_id,
      term_version_id: provenance.term.term_version_id,
      origin: provenance.origin,
    },
  });
}
