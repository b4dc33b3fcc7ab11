import { isIP } from 'node:net';
import type { Queryable } from '../base/db/database.ts';
import type { Caller } from '../base/http/access.ts';

export interface Actor {
  kind: 'user' | 'api_key' | 'operator' | 'system';
  id?: string | undefined;
  address?: string | undefined;
}

/** Whoever makes a call, as the trail names them. */
export function actorOf({ caller, address }: { caller: Caller; address: string }): Actor {
  return { kind: caller.actor.kind, id: String(caller.actor.id), address };
}

export interface AuditEntry {
  instance_id: number | null;
  actor: Actor;
  /** What was done, as `object.verb`: `api_key.created`. */
  action: string;
  object: { kind: string; id?: string | undefined };
  details?: Record<string, unknown>;
}

/** Written in the transaction of the act itself: neither happens without the other. */
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
      JSON.stringify(entry.details ?? {}),
    ],
  );
}

/** PostgreSQL takes no IPv6 zone (`fe80::1%eth0`), and what a proxy forwards need not be an address at all. */
function storableAddress(address: string | undefined): string | null {
  const [plain = ''] = (address ?? '').split('%', 1);
  return isIP(plain) === 0 ? null : plain;
}
