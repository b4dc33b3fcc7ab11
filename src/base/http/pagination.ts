import { Type, type TObject, type TProperties, type TSchema } from 'typebox';
import type { QueryResultRow } from 'pg';
import type { Queryable, Statement } from '../db/database.ts';
import { Nullable } from './schemas.ts';

/** Totals are exact up to here and null beyond: counting further would cost more than the page itself. */
export const maxCounted = 10_000;

const pageProperties = {
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 1,
      description: 'Which page, counted from 1. A page beyond the last one is empty, not an error.',
    }),
  ),
  page_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Items on a page.' }),
  ),
};

/** The query of a collection: its filters and the two parameters that every collection takes. */
export function PageQuery<Filters extends TProperties>(
  filters: Filters,
): TObject<Filters & typeof pageProperties> {
  return Type.Object({ ...filters, ...pageProperties });
}

const Pagination = Type.Object(
  {
    page: Type.Integer(),
    page_size: Type.Integer(),
    has_more: Type.Boolean({ description: 'Whether there is a next page: the reliable signal to go on.' }),
    total_items: Nullable(
      Type.Integer({ description: `All items that match; null when there are more than ${maxCounted}.` }),
    ),
    total_pages: Nullable(Type.Integer({ description: '0 when nothing matches; null when total_items is.' })),
  },
  { $id: 'Pagination' },
);

export function Page<Item extends TSchema>(item: Item) {
  return Type.Object({ data: Type.Array(item), pagination: Pagination });
}

/** The answer of an operation that lists these items. */
export function onePage<Item extends TSchema>(items: string, item: Item, ...examples: unknown[]) {
  const pagination = {
    page: 1,
    page_size: 20,
    has_more: false,
    total_items: examples.length,
    total_pages: 1,
  };
  return {
    status: 200,
    description: `One page of ${items}.`,
    schema: Page(item),
    example: { data: examples, pagination },
  } as const;
}

export interface PageRequest {
  page?: number;
  page_size?: number;
}

export interface PageOf<Item> {
  data: Item[];
  pagination: {
    page: number;
    page_size: number;
    has_more: boolean;
    total_items: number | null;
    total_pages: number | null;
  };
}

export interface PageSelection {
  columns: string;
  /** From `from` to the end of the conditions. */
  source: string;
  /** Another one that gives as many rows and is cheaper to count. */
  count_source?: string | undefined;
  order_by: string;
  values: unknown[];
  /**
   * For a list that is short in every instance, whose plan does not depend on the values: it is prepared and sent over the
   * pipelined connections, which takes half the processor time. A long list is planned with its values, and would hold up
   * the statements behind it.
   */
  is_short?: true;
}

/** Texts differ by the filters that were given, of which there are few combinations. */
const maxPrepared = 200;
const prepared = new Map<string, Statement>();

function prepare(text: string): Statement | string {
  const known = prepared.get(text);
  if (known) return known;
  if (prepared.size >= maxPrepared) return text;
  const statement = { name: `http.page_${prepared.size}`, text };
  prepared.set(text, statement);
  return statement;
}

/** One page and its total in one round trip. The join keeps the total when the page itself is empty. */
export async function selectPage<Row extends QueryResultRow>(
  db: Queryable,
  selection: PageSelection,
  request: PageRequest,
): Promise<PageOf<Row>> {
  const { page = 1, page_size = 20 } = request;
  const next = selection.values.length + 1;
  const text = `select matching.total as total_matching, listed.*
     from (select count(*) as total from (select 1 ${selection.count_source ?? selection.source} limit ${maxCounted + 1}) as counted) as matching
     left join lateral (
       select 1 as page_row, ${selection.columns} ${selection.source}
       order by ${selection.order_by} limit $${next} offset $${next + 1}
     ) as listed on true`;
  const rows = await db.query<Row & { total_matching: number; page_row: number | null }>(
    selection.is_short ? prepare(text) : text,
    [...selection.values, page_size + 1, (page - 1) * page_size],
  );
  const total = rows[0]?.total_matching ?? 0;
  const data = rows
    .filter(({ page_row }) => page_row !== null)
    .map(({ total_matching: _total, page_row: _present, ...row }) => row as unknown as Row);
  return pageOf(data, { page, page_size, total_items: total > maxCounted ? null : total });
}

/** `rows` has one more than the page where there is a next one. */
export function pageOf<Row>(
  rows: Row[],
  { page, page_size, total_items }: Required<PageRequest> & { total_items: number | null },
): PageOf<Row> {
  return {
    data: rows.slice(0, page_size),
    pagination: {
      page,
      page_size,
      has_more: rows.length > page_size,
      total_items,
      total_pages: total_items === null ? null : Math.ceil(total_items / page_size),
    },
  };
}
