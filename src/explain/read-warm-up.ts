import type { Queryable } from '../base/db/database.ts';
import { warmUpCap } from '../sources/index.ts';

const select = `
  select s.warms_up, s.first_used_at from source_addresses s
  where s.pool = coalesce((select a.pool from source_assignments a where a.instance_id = $1), 'default')`;

/** Mails to one provider that may leave today from those addresses of an instance that are new; null when none is. */
export async function readWarmUpCap(db: Queryable, instanceId: number, now: Date): Promise<number | null> {
  const sources = await db.query<{ warms_up: boolean; first_used_at: Date | null }>(select, [instanceId]);
  const caps = sources.map((source) => warmUpCap(source, now)).filter(Number.isFinite);
  return caps.length === 0 ? null : caps.reduce((sum, cap) => sum + cap, 0);
}
