import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import { IdSequence } from '../base/ids.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { isAtOrBelow, sandboxZone } from '../domains/index.ts';
import { dropQueued, isUntried, rescheduleQueued } from '../events/index.ts';
import { readSchedule } from '../mails/index.ts';
import { firstEventOf } from './mail-id.ts';
import type { CancelledMessage, RescheduledMessage } from './message-schemas.ts';
import { getMessage, rangeOfMessage } from './messages.ts';

const audit = auditOf('message');
const ids = new IdSequence();

export interface MessageChange {
  message_id: string;
  actor: Actor;
  now: Date;
  /** By a key that may write to sandbox recipients only. */
  sandbox_only: boolean;
}

/** Moves the mails that were never attempted. Throws `message_already_sent` when there are none. */
export async function rescheduleMessage(
  tx: Queryable,
  instanceId: number,
  change: MessageChange & { schedule_at: string; retention_months: number },
): Promise<RescheduledMessage> {
  const { message_id, actor, now, retention_months } = change;
  const { received_at } = await getMessage(tx, instanceId, message_id);
  const read = readSchedule(change.schedule_at, { now, received_at, retention_months });
  if (read.violations.length > 0) throw validationProblem(read.violations);
  const schedule_at = read.schedule_at ?? now;
  const mail_ids = await untriedOf(tx, instanceId, change);
  const rescheduled = await rescheduleQueued(tx, ids, {
    instance_id: instanceId,
    mail_ids,
    schedule_at,
    now,
  });
  if (rescheduled === 0) throw new Problem('message_already_sent');
  await audit(tx, instanceId, {
    action: 'rescheduled',
    id: message_id,
    actor,
    details: { schedule_at: schedule_at.toISOString(), rescheduled },
  });
  return { ...(await getMessage(tx, instanceId, message_id)), rescheduled };
}

/**
 * Drops the mails that were never attempted. A repeated call gives the same answer, so that a caller whose answer was lost can
 * ask again. Throws `message_already_sent` when none is cancelled.
 */
export async function cancelMessage(
  tx: Queryable,
  instanceId: number,
  change: MessageChange,
): Promise<CancelledMessage> {
  const { message_id, actor, now: at } = change;
  await getMessage(tx, instanceId, message_id);
  const mail_ids = await untriedOf(tx, instanceId, change);
  const drop = { instance_id: instanceId, mail_ids, reason: 'cancelled', at, only_untried: true } as const;
  const { dropped } = await dropQueued(tx, ids, drop);
  const cancelled = await countCancelled(tx, instanceId, message_id);
  if (cancelled === 0) throw new Problem('message_already_sent');
  if (dropped > 0) {
    await audit(tx, instanceId, {
      action: 'cancelled',
      id: message_id,
      actor,
      details: { cancelled: dropped },
    });
  }
  return { ...(await getMessage(tx, instanceId, message_id)), cancelled };
}

async function untriedOf(
  tx: Queryable,
  instanceId: number,
  { message_id, sandbox_only }: MessageChange,
): Promise<string[]> {
  const rows = await tx.query<{ mail_id: string; destination: string }>(
    `select q.mail_id, q.destination from mails m join queue q on q.mail_id = m.mail_id
     where m.instance_id = $1 and m.msg_id = $2 and m.mail_id >= $3 and m.mail_id < uuid_at($4) and ${isUntried}`,
    [instanceId, message_id, ...rangeOfMessage(message_id)],
  );
  if (sandbox_only) requireSandbox(rows);
  return rows.map(({ mail_id }) => mail_id);
}

/** A key that cannot write to people cannot keep their mail from them either. */
export function requireSandbox(mails: { destination: string }[]): void {
  if (mails.every(({ destination }) => isAtOrBelow(destination, sandboxZone))) return;
  throw new Problem('sandbox_relay_restricted', {
    detail: 'This API key can change mail to sandbox recipients only: addresses at or below sandbox.test.',
  });
}

async function countCancelled(tx: Queryable, instanceId: number, messageId: string): Promise<number> {
  const [row] = await tx.query<{ cancelled: number }>(
    `select count(*) as cancelled from events e
     where e.mail_id in (
         select m.mail_id from mails m
         where m.instance_id = $1 and m.msg_id = $2 and m.mail_id >= $3 and m.mail_id < uuid_at($4) and m.status = 4
       ) and e.event = 'dropped' and e.reason = 'cancelled' and e.event_id >= ${firstEventOf('$3::uuid')}`,
    [instanceId, messageId, ...rangeOfMessage(messageId)],
  );
  return row?.cancelled ?? 0;
}
