import { escapeIdentifier, type Client } from 'pg';
import { listTables } from './list-tables.ts';
import type { BackedUpTable, Manifest } from './manifest.ts';

/** Throws unless nothing is in the schema that tables are made in. */
export async function requireEmptyDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname::text as name from pg_class c
     where c.relnamespace = current_schema()::text::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by 1 limit 1`,
  );
  if (rows[0] === undefined) return;
  throw new Error(
    `The database is not empty (it has ${rows[0].name}): nothing was changed. Restore into a new database, or into an empty data folder.`,
  );
}

/**
 * Readies the tables that the migrations made for bulk loading: without the rows that migrations insert, without foreign
 * keys and triggers, and with the months of the backup, which get their indexes when they are attached. Foreign keys are
 * checked once at the end; checked row by row a table takes twice as long.
 */
export async function prepareTables(client: Client, manifest: Manifest): Promise<() => Promise<void>> {
  const months = await replaceMonths(client, manifest.tables);
  const tables = await requireSameTables(client, manifest.tables);
  const foreignKeys = await dropForeignKeys(client);
  const setTriggers = async (how: 'enable' | 'disable'): Promise<void> => {
    for (const table of tables) await client.query(`alter table ${table} ${how} trigger user`);
  };
  await setTriggers('disable');
  await client.query(`truncate ${tables.join(', ')}`);
  return async () => {
    for (const attach of months) await client.query(attach);
    await setTriggers('enable');
    for (const add of foreignKeys) await client.query(add);
  };
}

/** The statements that attach them. */
async function replaceMonths(client: Client, tables: BackedUpTable[]): Promise<string[]> {
  const { rows: parents } = await client.query<{ name: string; options: string | null; months: string[] }>(
    `select p.relname::text as name, array_agg(c.relname::text) as months,
       max(array_to_string(c.reloptions, ', ')) as options
     from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_class c on c.oid = i.inhrelid
     where p.relkind = 'p' and p.relnamespace = current_schema()::text::regnamespace group by 1`,
  );
  for (const month of parents.flatMap(({ months }) => months)) {
    await client.query(`drop table ${escapeIdentifier(month)}`);
  }
  const attaching: string[] = [];
  for (const { name, parent } of tables) {
    if (parent === null) continue;
    const known = parents.find((one) => one.name === parent);
    const [, year, month] = new RegExp(`^${parent}_([0-9]{4})_(0[1-9]|1[0-2])$`).exec(name) ?? [];
    if (known === undefined || year === undefined || month === undefined) throw mismatch(name);
    const { options } = known;
    const [table, of] = [escapeIdentifier(name), escapeIdentifier(parent)];
    await client.query(
      `create table ${table} (like ${of} including all excluding indexes)${options ? ` with (${options})` : ''}`,
    );
    const { rows } = await client.query<{ low: string; high: string }>(
      `select uuid_at(at)::text as low, uuid_at((at at time zone 'UTC' + interval '1 month') at time zone 'UTC')::text as high
       from make_timestamptz($1, $2, 1, 0, 0, 0, 'UTC') at`,
      [Number(year), Number(month)],
    );
    attaching.push(
      `alter table ${of} attach partition ${table} for values from ('${rows[0]?.low}') to ('${rows[0]?.high}')`,
    );
  }
  return attaching;
}

/** Names in a file are used as names in the database only when it has them. Those of the tables, quoted. */
async function requireSameTables(client: Client, tables: BackedUpTable[]): Promise<string[]> {
  const there = await client.query<{ name: string; columns: string[] }>(
    `select c.relname::text as name, array_agg(a.attname::text) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::text::regnamespace and c.relkind = 'r'
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by 1`,
  );
  const columnsOf = new Map(there.rows.map(({ name, columns }) => [name, columns]));
  for (const { name, columns } of tables) {
    const known = columnsOf.get(name);
    if (known?.toSorted().join() !== columns.toSorted().join()) throw mismatch(name);
  }
  const missing = (await listTables(client)).find(({ name }) => !tables.some((table) => table.name === name));
  if (missing && !/_\d{4}_\d{2}$/.test(missing.name)) throw mismatch(missing.name);
  return tables.map(({ name }) => escapeIdentifier(name));
}

function mismatch(table: string): Error {
  return new Error(`The backup does not fit its own schema: table ${table} differs.`);
}

/** The statements that add them again. */
async function dropForeignKeys(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = current_schema()::text::regnamespace
     order by conrelid::regclass::text, conname`,
  );
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ add }) => add);
}

export async function restoreSequences(client: Client, sequences: Manifest['sequences']): Promise<void> {
  for (const { name, value } of sequences) {
    await client.query('select setval($1::regclass, $2::bigint)', [escapeIdentifier(name), value]);
  }
}
