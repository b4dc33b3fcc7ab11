import { randomBytes } from 'node:crypto';
import { auditOf, type Actor } from '../audit/index.ts';
import type { Queryable } from '../base/db/database.ts';
import { canonicalContact } from '../base/contacts.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import type { Audience } from './audience-schemas.ts';
import type { Broadcast, BroadcastChanges, NewBroadcast } from './broadcast-schemas.ts';
import { audienceOf, broadcastColumns, lockBroadcast, shown, type BroadcastRow } from './broadcasts.ts';
import { validateBroadcast } from './validate-broadcast.ts';

const audit = auditOf('broadcast');

/** It begins as a draft. */
export async function createBroadcast(
  tx: Queryable,
  instanceId: number,
  { broadcast, now, actor }: { broadcast: NewBroadcast; now: Date; actor: Actor },
): Promise<Broadcast> {
  const schedule_at = broadcast.schedule_at ? new Date(broadcast.schedule_at) : null;
  const wanted = { ...broadcast, schedule_at };
  const violations = await validateBroadcast(tx, instanceId, { wanted, now });
  if (violations.length > 0) throw validationProblem(violations);
  const [row] = await tx.query<BroadcastRow & Record<string, unknown>>(
    `insert into broadcasts (instance_id, name, sender_id, template_id, purpose_id, audience, group_code, schedule_at, per_hour,
       state, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'draft', $10, $10) returning ${broadcastColumns}`,
    [
      instanceId,
      broadcast.name.trim(),
      broadcast.sender_id,
      broadcast.template_id,
      broadcast.audience.purpose_id,
      storedAudience(broadcast.audience),
      newGroupCode(),
      schedule_at,
      broadcast.per_hour ?? null,
      now,
    ],
  );
  const created = shown(row as BroadcastRow);
  await audit(tx, instanceId, { action: 'created', id: created.id, actor, details: auditedOf(created) });
  return created;
}

/** Nobody else's mails have it by accident. */
function newGroupCode(): string {
  return `broadcast-${randomBytes(9).toString('base64url')}`;
}

function storedAudience({ conditions = [], exclude = [], exclude_broadcast_ids = [] }: Audience): string {
  const contacts = exclude.map((contact) => canonicalContact({ contact_type: 'email_address', contact }));
  return JSON.stringify({ conditions, exclude: [...new Set(contacts)], exclude_broadcast_ids });
}

/** The audit log has no addresses: how many are excluded, not who. */
function auditedOf({
  name,
  sender_id,
  template_id,
  audience,
  schedule_at,
  per_hour,
}: Broadcast): Record<string, unknown> {
  const { exclude = [], ...rest } = audience;
  return {
    name,
    sender_id,
    template_id,
    audience: { ...rest, excluded: exclude.length },
    schedule_at,
    per_hour,
  };
}

/** What can still be changed: everything before it starts, then its name and its pace. */
const changeableLate: ReadonlySet<string> = new Set(['name', 'per_hour']);

export async function updateBroadcast(
  tx: Queryable,
  instanceId: number,
  { id, changes, now, actor }: { id: number; changes: BroadcastChanges; now: Date; actor: Actor },
): Promise<Broadcast> {
  const present = await lockBroadcast(tx, instanceId, id);
  const hasStarted = present.state !== 'draft' && present.state !== 'scheduled';
  const isLate = Object.keys(changes).some((name) => !changeableLate.has(name));
  if (hasStarted && (isLate || present.finished_at)) throw new Problem('broadcast_has_started');
  const schedule_at =
    changes.schedule_at === undefined
      ? present.schedule_at
      : changes.schedule_at === null
        ? null
        : new Date(changes.schedule_at);
  const wanted = {
    name: (changes.name ?? present.name).trim(),
    sender_id: changes.sender_id ?? present.sender_id,
    template_id: changes.template_id ?? present.template_id,
    audience: changes.audience ?? audienceOf(present),
    schedule_at,
    per_hour: changes.per_hour === undefined ? present.per_hour : changes.per_hour,
  };
  if (!hasStarted) {
    const violations = await validateBroadcast(tx, instanceId, { wanted, now });
    if (violations.length > 0) throw validationProblem(violations);
  }
  const [row] = await tx.query<BroadcastRow & Record<string, unknown>>(
    `update broadcasts set name = $2, sender_id = $3, template_id = $4, purpose_id = $5, audience = $6, schedule_at = $7,
       per_hour = $8, updated_at = $9,
       due_at = case state when 'scheduled' then coalesce($7::timestamptz, $9) else due_at end
     where id = $1 returning ${broadcastColumns}`,
    [
      id,
      wanted.name,
      wanted.sender_id,
      wanted.template_id,
      wanted.audience.purpose_id,
      storedAudience(wanted.audience),
      schedule_at,
      wanted.per_hour,
      now,
    ],
  );
  const updated = shown(row as BroadcastRow);
  await audit(tx, instanceId, { action: 'updated', id, actor, details: auditedOf(updated) });
  return updated;
}
