import type { Client } from 'pg';
import type { Migration } from './migrations.ts';

/**
 * First line of a migration that runs without a transaction. It has only statements that build or drop indexes concurrently, which
 * block no writer, and each can run again: a migration that was interrupted goes on with the statement that did not end.
 */
const marker = '-- migrate: concurrently';

const building = /^create (?:unique )?index concurrently if not exists (\w+)\s+on\s/i;
const dropping = /^drop index concurrently if exists \w+$/i;

export interface IndexProgress {
  index: string;
  /** As PostgreSQL calls it, such as `building index: scanning table`. */
  phase: string;
  percent: number | null;
}

export const isConcurrent = ({ text }: Migration): boolean => text.startsWith(`${marker}\n`);

export function concurrentStatements({ name, text }: Migration): string[] {
  const statements = text
    .replaceAll(/^--.*$/gm, '')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  const other = statements.find((statement) => !building.test(statement) && !dropping.test(statement));
  if (other !== undefined) {
    throw new Error(
      `Migration ${name} may only have "create index concurrently if not exists" and "drop index concurrently if exists", not: ${other}`,
    );
  }
  return statements;
}

/** For a transaction of the caller, on tables that nobody else uses. */
export const withoutConcurrently = (migration: Migration): string =>
  concurrentStatements(migration)
    .map((statement) => `${statement.replace(/ concurrently /i, ' ')};`)
    .join('\n');

interface Building {
  client: Client;
  /** Another session, since `client` is busy. */
  watcher: Client;
  on_progress: (progress: IndexProgress) => void;
  every_ms: number;
}

/** Runs the statements one by one. `client` waits for open transactions without a limit, and holds up nobody meanwhile. */
export async function applyConcurrently(migration: Migration, options: Building): Promise<void> {
  const { client } = options;
  for (const statement of concurrentStatements(migration)) {
    const [, index] = building.exec(statement) ?? [];
    if (index !== undefined) await dropInvalid(client, index);
    const stop = index === undefined ? () => undefined : watch(options, await pidOf(client), index);
    await client.query(statement).finally(stop);
  }
}

/** An interrupted build leaves an index that is maintained but not used. `if not exists` would take it for the whole one. */
async function dropInvalid(client: Client, index: string): Promise<void> {
  const { rows } = await client.query(
    `select from pg_index where indexrelid = to_regclass($1) and not (indisvalid and indisready)`,
    [index],
  );
  if (rows.length > 0) await client.query(`drop index concurrently ${index}`);
}

async function pidOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

const progress = `
  select phase, round(100.0 * blocks_done / nullif(blocks_total, 0))::integer as percent
  from pg_stat_progress_create_index where pid = $1`;

function watch({ watcher, on_progress, every_ms }: Building, pid: number, index: string): () => void {
  const timer = setInterval(() => {
    void watcher
      .query<Omit<IndexProgress, 'index'>>(progress, [pid])
      .then(({ rows: [row] }) => row && on_progress({ index, ...row }))
      // The next look may succeed; the build itself fails or ends by its own connection.
      .catch(() => undefined);
  }, every_ms);
  return () => clearInterval(timer);
}
