import type { QueryResultRow } from 'pg';
import type { Database, Queryable } from '../base/db/database.ts';
import { type ExportSelection, listed } from '../exports/index.ts';
import { pageOf, selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { withinTime } from './within-time.ts';

export async function listEvents<Row extends QueryResultRow>(
  db: Database,
  selection: ExportSelection,
  page: PageRequest,
): Promise<PageOf<Row>> {
  const columns = listed(selection.columns);
  return await withinTime(db, async (tx) => await selectPage<Row>(tx, { ...selection, columns }, page));
}

/** A page of groups `g`. Their total would need all groups, so it is null (contract §8). */
export async function listGroups<Row extends QueryResultRow>(
  db: Database,
  selection: ExportSelection,
  { page = 1, page_size = 20 }: PageRequest,
): Promise<PageOf<Row>> {
  const rows = await withinTime(db, async (tx) => {
    // The planner would build and sort all groups; in index order it stops after the page.
    await tx.query('set local enable_sort = off; set local enable_hashagg = off');
    return await readGroups<Row>(tx, selection, [page_size + 1, (page - 1) * page_size]);
  });
  return pageOf(rows, { page, page_size, total_items: null });
}

async function readGroups<Row extends QueryResultRow>(
  db: Queryable,
  { columns, source, order_by, values }: ExportSelection,
  [limit, offset]: [number, number],
): Promise<Row[]> {
  const next = values.length + 1;
  // Joins are done for the page only.
  return await db.query<Row>(
    `select ${listed(columns)} from (
       select * ${source} order by ${order_by} limit $${next} offset $${next + 1}
     ) as g order by ${order_by}`,
    [...values, limit, offset],
  );
}
