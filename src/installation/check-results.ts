import { Gauge, type Registry } from 'prom-client';
import type { Queryable } from '../base/db/database.ts';
import type { Log } from '../base/log.ts';
import type { Finding } from './check.ts';

interface CheckResult extends Finding {
  checked_at: Date;
}

export async function listCheckResults(db: Queryable): Promise<CheckResult[]> {
  return await db.query(
    'select name as check, ok, detail, action, is_skipped, checked_at from check_results order by name limit 1000',
  );
}

export async function saveCheckResult(db: Queryable, finding: Finding, now: Date): Promise<void> {
  const { check, ok, detail, action, is_skipped } = finding;
  await db.query(
    `insert into check_results (name, ok, detail, action, checked_at, is_skipped)
     values ($1, $2, left($3, 4000), $4, $5, $6)
     on conflict (name) do update set ok = excluded.ok, detail = excluded.detail, action = excluded.action,
       checked_at = excluded.checked_at, is_skipped = excluded.is_skipped`,
    [check, ok, detail, action, now, is_skipped],
  );
}

/** Those that this version no longer has. */
export async function removeOtherResults(db: Queryable, names: string[]): Promise<void> {
  await db.query('delete from check_results where name <> all ($1::text[])', [names]);
}

/** Reads the table, so that every node reports the same. */
export function watchChecks({ db, registry, log }: { db: Queryable; registry: Registry; log: Log }): void {
  const gauge = new Gauge({
    name: 'chasqui_check_ok',
    help: 'Whether each check of doctor found everything in order at its last scheduled run (0 or 1).',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      try {
        const results = await listCheckResults(db);
        gauge.reset();
        for (const { check, ok } of results) gauge.set({ check }, ok ? 1 : 0);
      } catch (error) {
        log.warn({ err: error }, 'could not read the results of the checks');
      }
    },
  });
}
