import { auditOf, type Actor } from '../audit/index.ts';
import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import type { DateRange } from '../base/http/date-range.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { maxAnnotations, type Annotation, type NewAnnotation } from './annotation-schemas.ts';

const audit = auditOf('annotation');
const columns = 'id, text, at, created_at';
const yearMs = 366 * 86_400_000;

export async function createAnnotation(
  tx: Queryable,
  instanceId: number,
  { annotation, now, actor }: { annotation: NewAnnotation; now: Date; actor: Actor },
): Promise<Annotation> {
  const at = momentOf(annotation.at, now);
  const [row] = await tx.query<Annotation>(
    `insert into annotations (instance_id, text, at, created_at) values ($1, $2, $3, $4) returning ${columns}`,
    [instanceId, annotation.text.trim(), at, now],
  );
  const created = row as Annotation;
  await tx.query(
    `delete from annotations where instance_id = $1 and id in (
       select id from annotations where instance_id = $1 order by at desc, id desc offset $2)`,
    [instanceId, maxAnnotations],
  );
  await audit(tx, instanceId, {
    action: 'created',
    id: created.id,
    actor,
    details: { text: created.text, at },
  });
  return created;
}

/** Those of a range, newest first. */
export async function listAnnotations(
  db: Queryable,
  instanceId: number,
  { range: { from, until }, page }: { range: DateRange; page: PageRequest },
): Promise<PageOf<Annotation>> {
  const conditions = new Conditions()
    .where('instance_id = ?', instanceId)
    .where('at >= ?', from)
    .where('at < ?', until);
  return await selectPage<Annotation & Record<string, unknown>>(
    db,
    {
      columns,
      source: `from annotations where ${conditions.sql()}`,
      order_by: 'at desc, id desc',
      values: conditions.values,
    },
    page,
  );
}

export async function deleteAnnotation(
  tx: Queryable,
  instanceId: number,
  { id, actor }: { id: number; actor: Actor },
): Promise<void> {
  const [row] = await tx.query<{ text: string }>(
    'delete from annotations where instance_id = $1 and id = $2 returning text',
    [instanceId, id],
  );
  if (!row) throw new Problem('annotation_not_found');
  await audit(tx, instanceId, { action: 'deleted', id, actor, details: { text: row.text } });
}

function momentOf(text: string | null | undefined, now: Date): Date {
  if (!text) return now;
  const at = new Date(text);
  if (Math.abs(at.getTime() - now.getTime()) <= yearMs) return at;
  const message = 'This time is more than a year away';
  throw validationProblem([{ pointer: '/at', code: 'value_error.date', message }]);
}
