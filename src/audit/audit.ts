import { isIP } from 'node:net';
import type { Database, Queryable } from '../base/db/database.ts';
import type { Caller, OperatorCaller } from '../base/http/access.ts';

export interface Actor {
  kind: 'user' | 'api_key' | 'operator' | 'system';
  id?: string | undefined;
  address?: string | undefined;
  /** The way the act came in, where that is not the HTTP API itself. */
  via?: Caller['via'];
}

export function actorOf({ caller, address }: { caller: Caller | OperatorCaller; address: string }): Actor {
  const via = 'via' in caller ? caller.via : undefined;
  return { kind: caller.actor.kind, id: String(caller.actor.id), address, via };
}

export interface AuditEntry {
  instance_id: number | null;
  actor: Actor;
  /** `object.verb`: `api_key.created`. */
  action: string;
  object: { kind: string; id?: string | undefined };
  details?: Record<string, unknown>;
}

/** Call it in the transaction of the change: both are committed or neither. */
export async function recordAudit(db: Queryable, entry: AuditEntry): Promise<void> {
  await db.query(
    `insert into audit_events (instance_id, actor_kind, actor_id, address, action, object_kind, object_id, details)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      entry.instance_id,
      entry.actor.kind,
      entry.actor.id ?? null,
      storableAddress(entry.actor.address),
      entry.action,
      entry.object.kind,
      entry.object.id ?? null,
      JSON.stringify({ ...entry.details, via: entry.actor.via }),
    ],
  );
}

interface SameActs extends Pick<AuditEntry, 'instance_id' | 'actor' | 'action'> {
  kind: string;
  objects: { id: number; details: Record<string, unknown> }[];
}

/** The same act on many objects of one kind, each with a line of its own. */
export async function recordAudits(
  db: Queryable,
  { instance_id, actor, action, kind, objects }: SameActs,
): Promise<void> {
  if (objects.length === 0) return;
  await db.query(
    `insert into audit_events (instance_id, actor_kind, actor_id, address, action, object_kind, object_id, details)
     select $1, $2, $3, $4, $5, $6, * from unnest($7::text[], $8::jsonb[])`,
    [
      instance_id,
      actor.kind,
      actor.id ?? null,
      storableAddress(actor.address),
      action,
      kind,
      objects.map(({ id }) => String(id)),
      objects.map(({ details }) => JSON.stringify({ ...details, via: actor.via })),
    ],
  );
}

interface AuditedChange {
  /** The verb: `created`. */
  action: string;
  id: number | string;
  actor: Actor;
  details?: Record<string, unknown>;
}

/** For the changes of one kind of object, likewise in their transaction. */
export function auditOf(
  kind: string,
): (tx: Queryable, instanceId: number | null, change: AuditedChange) => Promise<void> {
  return async (tx, instance_id, { action, id, actor, details = {} }) =>
    await recordAudit(tx, {
      instance_id,
      actor,
      action: `${kind}.${action}`,
      object: { kind, id: String(id) },
      details,
    });
}

/** A change of the caller's instance, on the caller's behalf, in a transaction. */
export function audited<Wanted extends { actor: Actor }, Result>(
  db: Database,
  change: (tx: Queryable, instanceId: number, wanted: Wanted) => Promise<Result>,
): (call: { caller: Caller; address: string }, wanted: Omit<Wanted, 'actor'>) => Promise<Result> {
  return async (call, given) => {
    const wanted = { ...given, actor: actorOf(call) } as Wanted;
    return await db.transaction(async (tx) => await change(tx, call.caller.instance.id, wanted));
  };
}

/** PostgreSQL refuses IPv6 zones (`fe80::1%eth0`), and a forwarded address may be invalid. */
export function storableAddress(address: string | undefined): string | null {
  const [plain = ''] = (address ?? '').split('%', 1);
  return isIP(plain) === 0 ? null : plain;
}
