import { createTestDatabase } from '../test/support/test-database.ts';
import { Database } from '../src/base/db/database.ts';
import { measureClaims } from './support/growth-claim.ts';
import { measureDeletion } from './support/growth-jobs.ts';
import { keepResults } from './support/results.ts';
import { median } from './support/share.ts';

/**
 * What stays constant while an installation grows: `npm run bench -- growth PART [rows]`. Each part prints its figures and keeps
 * them in results.md.
 */
const parts: Record<string, (db: Database, rows: number) => Promise<string[]>> = {
  async claim(db, rows) {
    const { none, deferred } = await measureClaims(db, rows);
    const row = (name: string, found: typeof none): string => {
      const of = (figure: (round: (typeof found)[0]) => number): string =>
        median(found.map(figure)).toFixed(2);
      const claims = `${of(({ idle }) => idle.cpu_ms)} | ${of(({ idle }) => idle.ms)} | ${of(({ busy }) => busy.cpu_ms)} | ${of(({ busy }) => busy.ms)}`;
      return `| ${name} | ${claims} | ${of(({ release_ms }) => release_ms)} | ${of(({ metrics_ms }) => metrics_ms)} |`;
    };
    return [
      `${none.length} rounds in turns, medians. PostgreSQL without fsync.`,
      '',
      '| deferred mails of one destination | idle claim, CPU ms of PostgreSQL | ms | claim of 250 mails from 1,000 lanes, CPU ms | ms | release after a failed claim, ms | metrics of the queue, ms |',
      '|---|---|---|---|---|---|---|',
      row('0', none),
      row(String(rows), deferred),
    ];
  },
  async jobs(db, rows) {
    const { deleted, seconds, latest_seconds } = await measureDeletion(db, rows);
    return [
      `${deleted} mails of one instance deleted by the jobs in ${seconds.toFixed(0)} s (${(deleted / seconds).toFixed(0)}/s); meanwhile statistics were at most ${latest_seconds.toFixed(1)} s late (they are aggregated every 10 s).`,
    ];
  },
};

export async function benchGrowth(): Promise<void> {
  const [name = '', rows = '1000000'] = process.argv.slice(3);
  const part = parts[name];
  if (!part) throw new Error(`Which part? ${Object.keys(parts).join(', ')}`);
  const database = await createTestDatabase();
  const on_error = (error: Error): void => console.error(error);
  const db = new Database({ connection: database.connection, pool_size: 10, pipelines: 2, on_error });
  try {
    const lines = await part(db, Number(rows));
    keepResults(`growth ${name}`, lines);
    console.log(lines.join('\n'));
  } finally {
    await db.end();
    await database.drop();
  }
}
