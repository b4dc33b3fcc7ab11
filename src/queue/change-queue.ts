import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import { type Actor, auditOf, recordAudit } from '../audit/index.ts';
import { canonicalDomain } from '../protocol/address/domain-name.ts';
import type { DestinationState } from './queue-schemas.ts';

const audit = auditOf('queue_destination');
const auditMail = auditOf('mail');

/** Per call: 100,000 rows took the database three seconds. */
export const maxRetried = 50_000;

const wake = `select pg_notify('chasqui_queue', '')`;

interface Retry {
  /** All destinations when absent. */
  destination?: string | null | undefined;
  actor: Actor;
}

/** Of mail that waits for the time it was scheduled for: it was not tried yet, and nothing went wrong. */
const is_scheduled = 'attempts = 0 and last_error is null and due_at > now()';

/**
 * Makes deferred mail due now. Leased mail is not changed: its `due_at` is the end of the lease, so another node would send
 * it a second time. Held mail stays held, and scheduled mail scheduled.
 */
export async function retryQueue(
  tx: Queryable,
  instanceId: number,
  { destination: given, actor }: Retry,
): Promise<{ retried: number; has_more: boolean }> {
  const destination = given === undefined || given === null ? null : requireDestination(given);
  const rows = await tx.query<{ waiting: number; retried: number }>(
    `with waiting as (
       select q.mail_id from unnest('{0,1}'::smallint[]) as p (priority) cross join lateral (
         select q.mail_id from queue q
         where q.priority = p.priority and q.held_since is null and q.instance_id = $1
           and ($2::text is null or q.destination = $2) and q.due_at > now() and q.lease is null and not (${is_scheduled})
         limit $3 for update skip locked
       ) as q limit $3
     ), moved as (
       update queue q set due_at = now() from (select mail_id from waiting limit $3 - 1) as w where q.mail_id = w.mail_id
       returning 1
     )
     select (select count(*) from waiting) as waiting, (select count(*) from moved) as retried`,
    [instanceId, destination, maxRetried + 1],
  );
  const { waiting = 0, retried = 0 } = rows[0] ?? {};
  await recordAudit(tx, {
    instance_id: instanceId,
    actor,
    action: 'queue.retried',
    object: { kind: 'queue', id: destination ?? undefined },
    details: { retried },
  });
  await tx.query(wake);
  return { retried, has_more: waiting > maxRetried };
}

/**
 * Makes one mail due now, with the same exceptions. Throws `mail_not_waiting` for mail that is done, held, leased, scheduled or to a
 * paused destination, since nothing would happen.
 */
export async function retryMail(
  tx: Queryable,
  instanceId: number,
  { mail_id, actor }: { mail_id: string; actor: Actor },
): Promise<void> {
  const moved = await tx.query(
    `update queue q set due_at = least(due_at, now())
     where mail_id = $2 and instance_id = $1 and held_since is null and lease is null
       and not (${is_scheduled}) and not exists (
       select from paused_destinations p where p.instance_id = $1 and p.destination = q.destination
     ) returning mail_id`,
    [instanceId, mail_id],
  );
  if (moved.length === 0) throw new Problem('mail_not_waiting');
  await auditMail(tx, instanceId, { action: 'retried', id: mail_id, actor });
  await tx.query(wake);
}

interface Change {
  destination: string;
  actor: Actor;
}

/** No node claims mail of the instance to this destination any more; running attempts are finished. */
export async function pauseDestination(
  tx: Queryable,
  instanceId: number,
  { destination: given, actor }: Change,
): Promise<DestinationState> {
  const destination = requireDestination(given);
  const paused = await tx.query(
    `insert into paused_destinations (instance_id, destination) values ($1, $2)
     on conflict do nothing returning destination`,
    [instanceId, destination],
  );
  if (paused.length > 0) await audit(tx, instanceId, { action: 'paused', id: destination, actor });
  return { destination, is_paused: true };
}

export async function resumeDestination(
  tx: Queryable,
  instanceId: number,
  { destination: given, actor }: Change,
): Promise<DestinationState> {
  const destination = requireDestination(given);
  const resumed = await tx.query(
    'delete from paused_destinations where instance_id = $1 and destination = $2 returning destination',
    [instanceId, destination],
  );
  if (resumed.length > 0) {
    await audit(tx, instanceId, { action: 'resumed', id: destination, actor });
    await tx.query(wake);
  }
  return { destination, is_paused: false };
}

/** The canonical form, which is what the queue stores. */
function requireDestination(text: string): string {
  const destination = canonicalDomain(text);
  if (destination !== undefined) return destination;
  throw validationProblem([
    { pointer: '/destination', code: 'value_error.domain', message: 'This is not a domain name' },
  ]);
}
