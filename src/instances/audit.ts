import type { Queryable } from '../base/db/database.ts';

export interface Actor {
  kind: 'user' | 'api_key' | 'operator' | 'system';
  id?: string | undefined;
  address?: string | undefined;
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
      entry.actor.address ?? null,
      entry.action,
      entry.object.kind,
      entry.object.id ?? null,
      JSON.stringify(entry.details ?? {}),
    ],
  );
}
