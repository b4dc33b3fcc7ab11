import { isIP } from 'node:net';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { type Actor, recordAudit } from '../audit/index.ts';

/** Used by instances without an assigned pool. */
export const defaultPool = 'default';

/** A local address to send from, with the EHLO name that belongs to it. */
export interface SourceAddress {
  id: number;
  address: string;
  ehlo_name: string;
  pool: string;
  warms_up: boolean;
  first_used_at: Date | null;
}

export interface NewSourceAddress {
  address: string;
  ehlo_name: string;
  pool: string;
  warms_up: boolean;
}

const columns = 'id, host(address) as address, ehlo_name, pool, warms_up, first_used_at';
const host = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*$/i;
const poolName = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;

/** Serialises removals and assignments: each depends on what the other left. */
async function lockPools(tx: Queryable): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('chasqui source pools'))");
}

export async function listSourceAddresses(db: Queryable): Promise<SourceAddress[]> {
  return await db.query(`select ${columns} from source_addresses order by pool, address`);
}

export async function addSourceAddress(
  tx: Queryable,
  given: NewSourceAddress,
  actor: Actor,
): Promise<SourceAddress> {
  if (isIP(given.address) === 0) throw invalid('/address', 'The address must be an IP address.');
  if (!host.test(given.ehlo_name)) {
    throw invalid('/ehlo_name', 'The name must be a host name like out1.example.com.');
  }
  const pool = requirePoolName(given.pool);
  const [added] = await tx.query<SourceAddress>(
    `insert into source_addresses (address, ehlo_name, pool, warms_up) values ($1, $2, $3, $4)
     on conflict do nothing returning ${columns}`,
    [given.address, given.ehlo_name.toLowerCase(), pool, given.warms_up],
  );
  if (!added) {
    throw new Problem('source_address_already_exists', {
      detail: `${given.address} is a source address already.`,
    });
  }
  await audit(tx, actor, { action: 'source_address.added', id: added.address, details: { pool } });
  return added;
}

/** How many mails each address sent to its busiest providers in its present day of warming up. */
export async function listSourceUsage(
  db: Queryable,
  days: { source_id: number; day: number }[],
): Promise<{ source_id: number; provider: string; used: number }[]> {
  return await db.query(
    `select u.source_id, u.provider, u.used
     from unnest($1::bigint[], $2::integer[]) as present (source_id, day)
     cross join lateral (
       select * from source_usage u where u.source_id = present.source_id and u.day = present.day
       order by u.used desc, u.provider limit 10
     ) as u order by u.source_id, u.used desc, u.provider`,
    [days.map(({ source_id }) => source_id), days.map(({ day }) => day)],
  );
}

/** Refused for the last address of a pool that is assigned to instances. */
export async function removeSourceAddress(
  tx: Queryable,
  address: string,
  actor: Actor,
): Promise<SourceAddress> {
  await lockPools(tx);
  const [removed] = await tx.query<SourceAddress>(
    `delete from source_addresses where host(address) = $1 returning ${columns}`,
    [address],
  );
  if (!removed)
    throw new Problem('source_address_not_found', { detail: `${address} is not a source address.` });
  const orphans = await tx.query<{ slug: string }>(
    `select i.slug from source_assignments a join instances i on i.id = a.instance_id
     where a.pool = $1 and not exists (select from source_addresses s where s.pool = a.pool) limit 1`,
    [removed.pool],
  );
  if (orphans[0]) {
    const detail = `It is the last address of ${removed.pool}, which ${orphans[0].slug} sends from.`;
    throw new Problem('source_pool_in_use', { detail });
  }
  await audit(tx, actor, {
    action: 'source_address.removed',
    id: removed.address,
    details: { pool: removed.pool },
  });
  return removed;
}

/** `default` removes the assignment. */
export async function assignPool(
  tx: Queryable,
  instanceId: number,
  { pool: given, actor }: { pool: string; actor: Actor },
): Promise<void> {
  const pool = requirePoolName(given);
  await lockPools(tx);
  if (pool === defaultPool) {
    await tx.query('delete from source_assignments where instance_id = $1', [instanceId]);
  } else {
    const found = await tx.query('select from source_addresses where pool = $1 limit 1', [pool]);
    if (found.length === 0) {
      throw new Problem('source_pool_not_found', { detail: `The pool ${pool} has no addresses.` });
    }
    await tx.query(
      `insert into source_assignments (instance_id, pool) values ($1, $2)
       on conflict (instance_id) do update set pool = excluded.pool`,
      [instanceId, pool],
    );
  }
  await recordAudit(tx, {
    instance_id: instanceId,
    actor,
    action: 'source_pool.assigned',
    object: { kind: 'source_pool', id: pool },
  });
}

export async function listAssignments(
  db: Queryable,
): Promise<{ instance_id: number; slug: string; pool: string }[]> {
  return await db.query(
    `select a.instance_id, i.slug, a.pool from source_assignments a join instances i on i.id = a.instance_id
     order by i.slug`,
  );
}

function requirePoolName(name: string): string {
  if (poolName.test(name)) return name;
  throw invalid('/pool', 'A pool is named with small letters, digits and hyphens, 32 at most.');
}

function invalid(pointer: string, message: string): Problem {
  return new Problem('validation_error', {
    detail: message,
    errors: [{ pointer, code: 'value_error', message }],
  });
}

async function audit(
  tx: Queryable,
  actor: Actor,
  act: { action: string; id: string; details: Record<string, unknown> },
): Promise<void> {
  const object = { kind: 'source_address', id: act.id };
  await recordAudit(tx, { instance_id: null, actor, action: act.action, object, details: act.details });
}
