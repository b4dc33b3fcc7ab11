import { randomBytes, randomUUID } from 'node:crypto';
import type { Database, Queryable } from '../base/db/database.ts';

/** Long enough for a database that is started anew: what is taken from one that lives is delivered twice. */
const silent_seconds = 90;

const attend = `
  insert into delivery_nodes (id, seen_at) values ($1, now())
  on conflict (id) do update set seen_at = excluded.seen_at`;
const bury = `
  delete from delivery_nodes where id in (
    select id from delivery_nodes where seen_at < now() - $1 * interval '1 second' for update skip locked)
  returning id`;
/** Reads the whole queue, which is worth it when somebody died. The attempt that nobody knows the end of counts. */
const free = `
  update queue set lease = null, due_at = $2
  where lease is not null and left(lease::text, 8) = any ($1) and due_at > $2
  returning 1`;

/** Who holds the leases of one process: each begins with its name. */
export interface LeaseHolder {
  newLease(): string;
  /**
   * Says that this one is there, and puts back in line what others had who have not said so for a while. Gives the
   * number of mails. To be called every few seconds.
   */
  attend(now: Date): Promise<number>;
  /** It holds none any more. */
  leave(): Promise<void>;
}

export function createLeaseHolder(db: Database): LeaseHolder {
  const id = randomBytes(4).toString('hex');
  return {
    newLease: () => id + randomUUID().slice(id.length),
    async attend(now) {
      await db.query(attend, [id]);
      return await db.transaction(async (tx) => await takeUp(tx, now));
    },
    async leave() {
      await db.query('delete from delivery_nodes where id = $1', [id]);
    },
  };
}

async function takeUp(tx: Queryable, now: Date): Promise<number> {
  const dead = await tx.query<{ id: string }>(bury, [silent_seconds]);
  if (dead.length === 0) return 0;
  return (await tx.query(free, [dead.map(({ id }) => id), now])).length;
}
