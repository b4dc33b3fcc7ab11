import { Problem } from '../base/errors/problem.ts';
import { isAtOrBelow } from '../domains/domain-name.ts';
import { sandbox_zone } from '../domains/sandbox.ts';
import type { SendingTerms } from '../instances/instance-directory.ts';
import { planPeriod, readPlanUsage, releasePlan, reservePlan } from '../instances/plan-usage.ts';
import type { NewMessage } from '../mails/new-message.ts';
import type { AcceptContext } from './accept-mail.ts';
import type { Draft } from './draft.ts';

export function requireSubscription({ subscription_status }: SendingTerms): void {
  if (subscription_status !== 'active') throw new Problem('subscription_inactive');
}

/** A first look, so that a full plan is told before anything else is judged; the reservation decides. */
export async function requirePlan(
  { db, clock }: AcceptContext,
  instance: SendingTerms,
  draft: Draft,
): Promise<void> {
  if (instance.plan_send_limit === null) return;
  const used = await readPlanUsage(db, planPeriod(instance, clock.now()));
  const wanted = draft.recipients.filter(({ domain }) => !isAtOrBelow(domain, sandbox_zone)).length;
  if ((used ?? 0) + wanted > instance.plan_send_limit) throw new Problem('plan_send_limit_exceeded');
}

/** Dropped recipients and those of the sandbox are free. */
export async function reservePlanFor(
  { db, clock }: AcceptContext,
  instance: SendingTerms,
  message: NewMessage,
): Promise<{ release(): Promise<void> }> {
  const limit = instance.plan_send_limit;
  const count = message.mails.filter(
    ({ drop_reason, destination }) => drop_reason === null && !isAtOrBelow(destination, sandbox_zone),
  ).length;
  if (limit === null || count === 0) return { release: async () => undefined };
  const plan = planPeriod(instance, clock.now());
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
