import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { escapeIdentifier, type Client, type QueryResultRow } from 'pg';
import { CopyBytes } from '../copy-bytes.ts';
import { CopyIn } from '../copy-in.ts';
import type { ConnectionSettings, Queryable, Statement } from '../database.ts';
import { acquireLock, connectForSchema, createMigrationsTable, runMigration } from '../migrate.ts';
import { compareMigrations, type Migration } from '../migrations.ts';
import { readArchive } from './archive-reader.ts';
import {
  manifestName,
  parseManifest,
  secretName,
  summaryName,
  tableOfPart,
  type Manifest,
} from './manifest.ts';
import { prepareTables, requireEmptyDatabase, restoreSequences } from './target-tables.ts';

export interface Archive {
  file: string;
  manifest: Manifest;
  secret: string | undefined;
  /** By table. */
  rows: Record<string, number>;
}

type OnRead = (position: number) => void;

/** Reads the file to its end, so that nothing is begun with one that is cut off or altered. */
export async function checkArchive(file: string, on_read?: OnRead): Promise<Archive> {
  const small = new Map<string, Buffer>();
  let manifest: Manifest | undefined;
  for await (const { name, content, end } of readArchive(file)) {
    if (manifest === undefined) manifest = parseManifest(name === manifestName ? content : Buffer.alloc(0));
    if (tableOfPart(name) === undefined) small.set(name, content);
    on_read?.(end);
  }
  const summary = small.get(summaryName);
  if (manifest === undefined || summary === undefined) throw new Error('This is not a backup of Chasqui.');
  const { rows } = JSON.parse(summary.toString()) as Pick<Archive, 'rows'>;
  return { file, manifest, secret: small.get(secretName)?.toString().trim(), rows };
}

/** The migrations that the backup has; throws when this code does not know them all. */
export function migrationsOf({ migrations, chasqui }: Manifest, known: Migration[]): Migration[] {
  const { pending, unknown, changed } = compareMigrations(known, migrations);
  const strange = unknown[0] ?? changed[0];
  if (strange !== undefined) {
    throw new Error(
      `The backup was made by version ${chasqui}, whose schema this version does not know (${strange.name}): ` +
        'restore it with that version or a later one.',
    );
  }
  const missing = new Set(pending);
  return known.filter((migration) => !missing.has(migration));
}

interface LoadOptions {
  connection: ConnectionSettings;
  archive: Archive;
  /** All migrations of this code: what the backup lacks runs after its rows are there. */
  migrations: Migration[];
  /** Looks at what was loaded, before the commit; throws to undo it. */
  verify: (db: Queryable) => Promise<void>;
  on_read?: OnRead;
}

/** All in one transaction: what fails, or is killed, leaves the database as empty as it was. */
export async function loadBackup(options: LoadOptions): Promise<void> {
  const { connection, archive, migrations, verify } = options;
  const { manifest } = archive;
  const first = migrationsOf(manifest, migrations);
  const client = await connectForSchema(connection, 'chasqui restore');
  try {
    // A node that starts on this database meanwhile waits for it.
    await acquireLock(client);
    await client.query('begin');
    await requireEmptyDatabase(client);
    await createMigrationsTable(client);
    for (const migration of first) await runMigration(client, migration);
    const finish = await prepareTables(client, manifest);
    await loadParts(client, archive, options.on_read);
    await finish();
    await restoreSequences(client, manifest.sequences);
    for (const migration of migrations) {
      if (!first.includes(migration)) await runMigration(client, migration);
    }
    // Queries from here on, those of the verification first, are planned for tables of this size.
    await client.query(`analyze ${manifest.tables.map(({ name }) => escapeIdentifier(name)).join(', ')}`);
    await verify(oneByOne(client));
    await client.query('commit');
  } catch (error) {
    throw explainLocks(error);
  } finally {
    await client.end();
  }
}

/** Callers may ask several things at once; the driver warns about statements that wait for others on one connection. */
function oneByOne(client: Client): Queryable {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async query<Row extends QueryResultRow>(sql: string | Statement, values?: unknown[]): Promise<Row[]> {
      const running = last.then(async () => await client.query<Row>(sql as string, values));
      last = running.catch(() => undefined);
      return (await running).rows;
    },
  };
}

/** Every table of every month is locked until the commit. */
function explainLocks(error: unknown): unknown {
  if ((error as { code?: string }).code !== '53200') return error;
  const message = 'The server has no room for so many locks: raise its max_locks_per_transaction.';
  return new Error(message, { cause: error });
}

const decompress = promisify(zstdDecompress);

/** One part is read and decompressed while the database takes the one before. */
async function loadParts(client: Client, { file, manifest, rows }: Archive, on_read?: OnRead): Promise<void> {
  const columns = new Map(manifest.tables.map((table) => [table.name, table.columns]));
  const loaded: Record<string, number> = {};
  let copying = Promise.resolve();
  for await (const { name, content, end } of readArchive(file)) {
    const table = tableOfPart(name);
    if (table === undefined) continue;
    const part = await decompress(content);
    await copying;
    copying = loadPart(client, { table, columns: columns.get(table) ?? [], part }).then((count) => {
      loaded[table] = (loaded[table] ?? 0) + count;
    });
    // Awaited in the next turn or below; meanwhile it must not count as unhandled.
    copying.catch(() => undefined);
    on_read?.(end);
  }
  await copying;
  const short = Object.entries(rows).find(([table, count]) => (loaded[table] ?? 0) !== count);
  if (short) throw new Error(`Table ${short[0]} has ${loaded[short[0]] ?? 0} of its ${short[1]} rows.`);
}

interface Part {
  table: string;
  columns: string[];
  part: Buffer;
}

async function loadPart(client: Client, { table, columns, part }: Part): Promise<number> {
  const list = columns.map(escapeIdentifier).join(', ');
  const sql = `copy ${escapeIdentifier(table)} (${list}) from stdin`;
  const copy = new CopyIn([{ sql, write: (to) => to.textRows(part) }], new CopyBytes());
  await client.query(copy).done;
  return copy.rows;
}
