import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { escapeIdentifier, type Client } from 'pg';
import { copyTable } from '../copy-out.ts';
import type { ConnectionSettings } from '../database.ts';
import { acquireLock, connectForSchema, releaseLock } from '../migrate.ts';
import { readApplied } from '../migrations.ts';
import type { ArchiveWriter } from './archive-writer.ts';
import { listSequences, listTables, type ListedTable } from './list-tables.ts';
import {
  formatName,
  formatVersion,
  manifestName,
  partName,
  secretName,
  summaryName,
  type Manifest,
} from './manifest.ts';

export interface BackupOptions {
  connection: ConnectionSettings;
  writer: ArchiveWriter;
  /** Of this code. */
  version: string;
  /** Put into the file in clear. */
  secret?: string | undefined;
  on_progress?: (progress: { table: string; done_bytes: number; total_bytes: number }) => void;
  signal?: AbortSignal | undefined;
}

export interface BackupSummary {
  manifest: Manifest;
  /** By table; months have one entry each. */
  rows: Record<string, number>;
}

/** Of rows before compression, and at least one row. Both sides hold a few parts in memory. */
const partBytes = 4 * 1024 * 1024;
/** Level 1 takes a third of the processor time of gzip for less space. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 };
const compress = promisify(zstdCompress);
const undefinedTable = '42P01';

/** The whole database in one snapshot, while others read and write it. */
export async function writeBackup(options: BackupOptions): Promise<BackupSummary> {
  const { writer, secret, signal } = options;
  const client = await connectForSchema(options.connection, 'chasqui backup');
  // Whatever it waits for, a lock included, fails then.
  const stop = (): void => void client.end();
  signal?.addEventListener('abort', stop);
  try {
    signal?.throwIfAborted();
    const { manifest, tables } = await beginSnapshot(client, options.version);
    await writer.add(manifestName, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
    if (secret !== undefined) await writer.add(secretName, Buffer.from(`${secret}\n`));
    const rows = await writeTables(client, tables, options);
    const summary = { finished_at: new Date().toISOString(), rows };
    await writer.add(summaryName, Buffer.from(`${JSON.stringify(summary, null, 2)}\n`));
    await writer.finish();
    return { manifest, rows };
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    await client.end();
  }
}

interface Snapshot {
  manifest: Manifest;
  tables: ListedTable[];
}

/** A table may be dropped between listing and locking: then all begins again. */
async function beginSnapshot(client: Client, version: string): Promise<Snapshot> {
  for (let attempt = 1; ; attempt += 1) {
    // No migration can run between the snapshot and the locks; afterwards those that would change a table wait.
    await acquireLock(client);
    try {
      return await takeSnapshot(client, version);
    } catch (error) {
      if ((error as { code?: string }).code !== undefinedTable || attempt === 5) throw error;
      await client.query('rollback');
    } finally {
      await releaseLock(client).catch(() => undefined);
    }
  }
}

/** The locks conflict with nothing but dropping, emptying and changing tables. */
async function takeSnapshot(client: Client, version: string): Promise<Snapshot> {
  await client.query('begin isolation level repeatable read read only');
  // How values look must not depend on the settings of a server or a role.
  await client.query(
    `set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
     set local bytea_output = 'hex'; set local extra_float_digits = 1`,
  );
  const tables = await listTables(client);
  const names = tables.map(({ name }) => escapeIdentifier(name));
  await client.query(`lock table ${names.join(', ')} in access share mode`);
  return { manifest: await describe(client, tables, version), tables };
}

/** Sequences are read after the snapshot: they are outside of it, and must not be behind its rows. */
async function describe(client: Client, tables: ListedTable[], version: string): Promise<Manifest> {
  const { rows } = await client.query<{ made_at: Date; postgres: string; fingerprint: string | null }>(
    `select now() as made_at, current_setting('server_version') as postgres,
       (select secret_fingerprint from installation) as fingerprint`,
  );
  const { made_at = new Date(), postgres = '', fingerprint = null } = rows[0] ?? {};
  return {
    format: formatName,
    version: formatVersion,
    chasqui: version,
    made_at: made_at.toISOString(),
    postgres,
    secret_fingerprint: fingerprint,
    migrations: (await readApplied(client)) ?? [],
    tables: tables.map(({ name, parent, columns }) => ({ name, parent, columns })),
    sequences: await listSequences(client),
  };
}

async function writeTables(
  client: Client,
  tables: ListedTable[],
  { writer, on_progress }: BackupOptions,
): Promise<Record<string, number>> {
  const total_bytes = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const rows: Record<string, number> = {};
  let before = 0;
  for (const table of tables) {
    const onRead = (bytes: number): void => {
      // As text a table is about as large as on disk; that it is a little larger must not show.
      const done_bytes = before + Math.min(bytes, table.bytes);
      on_progress?.({ table: table.name, done_bytes, total_bytes });
    };
    rows[table.name] = await writeTable(client, table, { writer, onRead });
    before += table.bytes;
  }
  return rows;
}

/** One part is compressed and written while the next one is read. */
async function writeTable(
  client: Client,
  { name, columns }: ListedTable,
  { writer, onRead }: { writer: ArchiveWriter; onRead: (bytes: number) => void },
): Promise<number> {
  const copy = client.query(copyTable(name, columns));
  let parts = 0;
  let read = 0;
  let writing = Promise.resolve();
  for await (const part of inParts(copy)) {
    read += part.length;
    onRead(read);
    await writing;
    parts += 1;
    const member = partName(name, parts);
    writing = compress(part, { params }).then(async (bytes) => await writer.add(member, bytes));
    // Awaited above or below; meanwhile it must not count as unhandled.
    writing.catch(() => undefined);
  }
  await writing;
  await copy.done;
  return copy.rows;
}

async function* inParts(copy: { read(): Promise<Buffer | undefined> }): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for (let chunk = await copy.read(); chunk !== undefined; chunk = await copy.read()) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < partBytes) continue;
    yield Buffer.concat(chunks);
    chunks = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(chunks);
}
