interface SkipScan {
  /** Name of the common table expression, which has these columns. */
  as: string;
  table: string;
  /** Distinct values of these; an index must begin with what `where` fixes, followed by them. */
  columns: readonly string[];
  /** Condition on unqualified columns. */
  where?: string;
  /** Begins after these values: placeholders, one for each column. */
  after?: readonly string[];
  /** A scan of its own for each value of this column; the index must have it before `columns`. */
  each?: { column: string; values: string };
}

/**
 * A loose index scan, for `with recursive`: the distinct values of an index by one probe each, so that the cost grows with the
 * values instead of the rows. PostgreSQL stops it where `limit` of the outer query is reached.
 */
export function skipScan({ as, table, columns, where = 'true', after, each }: SkipScan): string {
  const list = columns.join(', ');
  const probe = (from?: readonly string[], value?: string): string => {
    const conditions = [where];
    if (each) conditions.push(`q.${each.column} = ${value}`);
    if (from)
      conditions.push(`(${columns.map((column) => `q.${column}`).join(', ')}) > (${from.join(', ')})`);
    return `select ${list} from ${table} q where ${conditions.join(' and ')} order by ${list} limit 1`;
  };
  const next = probe(
    columns.map((column) => `${as}.${column}`),
    each && `${as}.${each.column}`,
  );
  const first = each
    ? `select value.${each.column}, first.* from ${each.values} as value (${each.column})
       cross join lateral (${probe(after, `value.${each.column}`)}) as first`
    : `(${probe(after)})`;
  return `${as} as (
      ${first}
      union all
      select ${each ? `${as}.${each.column}, ` : ''}next.* from ${as} cross join lateral (${next}) as next
    )`;
}
