import type { Client } from 'pg';
import type { BackedUpTable } from './manifest.ts';

export interface ListedTable extends BackedUpTable {
  bytes: number;
}

/** The manifest has the first; the second is filler whose space is given back while a backup runs. */
const leftOut = ['schema_migrations', 'write_probes'];

/**
 * Tables with rows of their own: ordinary ones and months. Months that retention is taking away are left out. Generated
 * columns are: the database that they are restored into computes them.
 */
export async function listTables(client: Client): Promise<ListedTable[]> {
  const { rows } = await client.query<ListedTable>(
    `select c.relname::text as name, p.relname::text as parent, pg_table_size(c.oid) as bytes,
       array(
         select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum
       ) as columns
     from pg_class c
       left join pg_inherits i on i.inhrelid = c.oid and not i.inhdetachpending
       left join pg_class p on p.oid = i.inhparent
     where c.relnamespace = current_schema()::text::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
       and c.relname <> all ($1)
       and (i.inhrelid is not null or not c.relispartition and not exists (
         select from pg_class q where q.relkind = 'p' and q.relnamespace = c.relnamespace
           and left(c.relname, -8) = q.relname and right(c.relname, 8) ~ '^_[0-9]{4}_[0-9]{2}$'))
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by p.relname collate "C" nulls first, c.relname collate "C"`,
    [leftOut],
  );
  return rows;
}

/** Those that have given out a value. */
export async function listSequences(client: Client): Promise<{ name: string; value: number }[]> {
  const { rows } = await client.query<{ name: string; value: number }>(
    `select sequencename::text as name, last_value as value from pg_sequences
     where schemaname = current_schema() and last_value is not null order by 1`,
  );
  return rows;
}
