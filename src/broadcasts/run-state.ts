import { auditOf, type Actor } from '../audit/index.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import type { Broadcast, BroadcastState } from './broadcast-schemas.ts';
import { audienceOf, broadcastColumns, lockBroadcast, shown, type BroadcastRow } from './broadcasts.ts';
import { validateBroadcast } from './validate-broadcast.ts';
import { announce } from '../announce/index.ts';
import { finishedNotice } from './finished-notice.ts';
import { wakeRunners } from './wake-runners.ts';

const audit = auditOf('broadcast');

interface Command {
  id: number;
  now: Date;
  actor: Actor;
}

interface Step {
  action: string;
  from: BroadcastState[];
  /** Assignments; `$2` is the time. */
  set: string;
}

const steps = {
  send: {
    action: 'sent',
    from: ['draft'],
    set: `state = 'scheduled', due_at = coalesce(schedule_at, $2)`,
  },
  pause: {
    action: 'paused',
    from: ['sending'],
    set: `state = 'paused', paused_by = 'request', due_at = null`,
  },
  resume: {
    action: 'resumed',
    from: ['paused'],
    set: `state = 'sending', paused_by = null, last_error = null, due_at = $2`,
  },
  // What was handed over and not attempted is dropped by the runner.
  cancel: {
    action: 'cancelled',
    from: ['draft', 'scheduled', 'sending', 'paused'],
    set: `state = 'cancelled', paused_by = null, finished_at = $2,
      due_at = case when accepted_count > 0 then $2::timestamptz end`,
  },
} as const satisfies Record<string, Step>;

async function take(
  tx: Queryable,
  instanceId: number,
  { step, row, now, actor }: { step: Step; row: BroadcastRow } & Omit<Command, 'id'>,
): Promise<Broadcast> {
  const [changed] = await tx.query<BroadcastRow & Record<string, unknown>>(
    `update broadcasts set ${step.set}, updated_at = $2 where id = $1 returning ${broadcastColumns}`,
    [row.id, now],
  );
  await audit(tx, instanceId, { action: step.action, id: row.id, actor });
  if (changed?.state === 'cancelled') await announce(tx, [finishedNotice(changed)], now);
  await wakeRunners(tx);
  return shown(changed as BroadcastRow);
}

/** A broadcast that is in one of these states, locked until the commit. */
async function lockIn(
  tx: Queryable,
  instanceId: number,
  { id, states }: { id: number; states: readonly BroadcastState[] },
): Promise<BroadcastRow> {
  const row = await lockBroadcast(tx, instanceId, id);
  if (states.includes(row.state)) return row;
  throw new Problem('broadcast_state_conflict', {
    detail: `The broadcast is ${row.state}; this needs one that is ${states.join(' or ')}.`,
  });
}

/** It starts at its time, or at once. Everything that would stop it is checked first. */
export async function sendBroadcast(
  tx: Queryable,
  instanceId: number,
  { id, now, actor }: Command,
): Promise<Broadcast> {
  const row = await lockIn(tx, instanceId, { id, states: steps.send.from });
  const wanted = { ...row, audience: audienceOf(row) };
  const violations = await validateBroadcast(tx, instanceId, { wanted, now });
  if (violations.length > 0) throw validationProblem(violations);
  await requireSendable(tx, row);
  return await take(tx, instanceId, { step: steps.send, row, now, actor });
}

async function requireSendable(tx: Queryable, { sender_id, template_id }: BroadcastRow): Promise<void> {
  const [found] = await tx.query<{ is_published: boolean; is_verified: boolean }>(
    `select t.is_published, 'verified' = all (array[d.mx_status, d.spf_status, d.dkim_status, d.dmarc_status]) as is_verified
     from mail_templates t, senders s join domains d on d.id = s.domain_id where t.id = $1 and s.id = $2`,
    [template_id, sender_id],
  );
  if (!found?.is_published) throw new Problem('template_not_public');
  if (!found.is_verified) throw new Problem('domain_sender_not_verified');
}

const changeState =
  (name: 'pause' | 'resume' | 'cancel') =>
  async (tx: Queryable, instanceId: number, { id, now, actor }: Command): Promise<Broadcast> => {
    const step = steps[name];
    const row = await lockIn(tx, instanceId, { id, states: step.from });
    return await take(tx, instanceId, { step, row, now, actor });
  };

/** No more mails are handed over; those that were go out. */
export const pauseBroadcast = changeState('pause');
/** Goes on where it stopped. */
export const resumeBroadcast = changeState('resume');
/** Ends it: nothing more is handed over, and what was handed over but never attempted is dropped. */
export const cancelBroadcast = changeState('cancel');
