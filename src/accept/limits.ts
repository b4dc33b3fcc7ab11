import { Problem } from '../base/errors/problem.ts';
import { isAtOrBelow, sandbox_zone } from '../domains/index.ts';
import type { SendingTerms } from '../instances/index.ts';
import { planPeriod, readPlanUsage, releasePlan, reservePlan } from '../limits/index.ts';
import type { NewMessage } from '../mails/index.ts';
import type { AcceptContext } from './accept-context.ts';
import { decideDrops, type Drops } from './decide-drops.ts';
import type { Draft } from './draft.ts';

export function requireSubscription({ subscription_status }: SendingTerms): void {
  if (subscription_status !== 'active') throw new Problem('subscription_inactive');
}

/** A first look, so that a full plan is told before anything else is judged; the reservation decides. */
export async function requirePlan(
  context: AcceptContext,
  instance: SendingTerms,
  draft: Draft,
): Promise<void> {
  const limit = instance.plan_send_limit;
  const most = countBillable(draft, new Map());
  if (limit === null || most === 0) return;
  const used = await readPlanUsage(context.db, planPeriod(instance, context.clock.now()));
  if (used + most <= limit) return;
  // Those who will be dropped do not count, which only the sender tells; without it everything else is moot.
  const sender = await context.senders.find(draft.instance_id, draft.sender_email);
  const drops: Drops = sender ? await decideDrops(context, { draft, instance, sender }) : new Map();
  const wanted = countBillable(draft, drops);
  if (wanted > 0 && used + wanted > limit) throw new Problem('plan_send_limit_exceeded');
}

/** Dropped recipients and those of the sandbox are free. */
function countBillable({ recipients }: Draft, drops: Drops): number {
  return recipients.filter(
    ({ address, domain }) => !drops.has(address.toLowerCase()) && !isAtOrBelow(domain, sandbox_zone),
  ).length;
}

export interface PlanReservation {
  /** Gives it back. Not to be called when the mail may have been written all the same. */
  release(): Promise<void>;
}

export async function reservePlanFor(
  { db, forgetPlan }: AcceptContext,
  instance: SendingTerms,
  message: NewMessage,
): Promise<PlanReservation> {
  const limit = instance.plan_send_limit;
  const count = message.mails.filter(
    ({ drop_reason, destination }) => drop_reason === null && !isAtOrBelow(destination, sandbox_zone),
  ).length;
  if (count === 0) return { release: async () => undefined };
  const plan = planPeriod(instance, message.received_at);
  if (limit === null) {
    await forgetPlan(plan);
    return { release: async () => undefined };
  }
  if (!(await reservePlan(db, plan, { count, limit }))) throw new Problem('plan_send_limit_exceeded');
  // The send fails with its own error; what cannot be given back now only makes the plan a little tighter.
  return { release: async () => await releasePlan(db, plan, count).catch(() => undefined) };
}

/** Octets of the message for each recipient it goes to, out of the instance's share of the line. */
export async function reserveBandwidth(
  { buckets }: AcceptContext,
  instance: SendingTerms,
  message: NewMessage,
): Promise<void> {
  const bytes = message.size_bytes * message.mails.filter(({ drop_reason }) => drop_reason === null).length;
  const burst = instance.bandwidth_burst_bytes;
  if (bytes > burst) {
    throw new Problem('request_too_large', {
      detail: 'The mail is larger than the burst capacity of the instance’s bandwidth.',
    });
  }
  const limits = { rate: instance.bandwidth_bytes_per_second, burst };
  const taken = await buckets.take(`bandwidth ${instance.id}`, bytes, limits);
  if (!taken.ok) {
    throw new Problem('rate_limit_exceeded', { retry_after_seconds: taken.retry_after_seconds });
  }
}
