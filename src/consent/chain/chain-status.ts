import type { Queryable } from '../../base/db/database.ts';
import { verifyChain, type ChainCheck } from './verify-chain.ts';

/** Rows that are checked with every look; the whole chain is for `verifyChain`. */
const recentRows = 200;

export interface ChainStatus {
  /** Rows in the chain, and the place of the last one. */
  sequence: number;
  hash: string;
  last_recorded_at: Date | null;
  /** Of the newest rows. */
  recent: ChainCheck;
}

/** Its cost does not grow with the chain. */
export async function readChainStatus(db: Queryable, instanceId: number): Promise<ChainStatus> {
  const [end] = await db.query<{ sequence: number; hash: string; last_recorded_at: Date | null }>(
    `select c.sequence, encode(c.hash, 'hex') as hash, coalesce(
       (select e.created_at from consent_events e where e.instance_id = $1 and e.sequence = c.sequence),
       (select o.at from consent_event_outcomes o where o.instance_id = $1 and o.sequence = c.sequence),
       (select r.at from consent_receipts r where r.instance_id = $1 and r.sequence = c.sequence)) as last_recorded_at
     from consent_chains c where c.instance_id = $1`,
    [instanceId],
  );
  const after = Math.max(0, (end?.sequence ?? 0) - recentRows);
  const recent = await verifyChain(db, instanceId, { after });
  return { ...(end ?? { sequence: 0, hash: recent.hash, last_recorded_at: null }), recent };
}
