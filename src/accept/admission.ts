import { isStoreLost } from '../base/db/batcher.ts';
import { Problem } from '../base/errors/problem.ts';
import { isAtOrBelow, sandbox_zone } from '../domains/index.ts';
import type { SendingTerms } from '../instances/index.ts';
import { planPeriod, refuseBeyond, releasePlan, reservePlan } from '../limits/index.ts';
import type { NewMessage } from '../mails/index.ts';
import type { AcceptContext } from './accept-context.ts';
import type { Drops } from './decide-drops.ts';
import type { Draft } from './draft.ts';

interface Admission {
  /** For a mail that is refused later: returns the reservation to the plan. */
  release(error: unknown): Promise<void>;
}

/** Reserves the recipients of a mail in the plan of the instance, all or none. */
export async function admit(
  { db, clock, resetPlan }: AcceptContext,
  instance: SendingTerms,
  { draft, drops }: { draft: Draft; drops: Drops },
): Promise<Admission> {
  // Dropped and sandbox recipients do not count.
  const count = draft.recipients.filter(
    ({ address, domain }) => !drops.has(address.toLowerCase()) && !isAtOrBelow(domain, sandbox_zone),
  ).length;
  if (count === 0) return nothingReserved;
  const limit = instance.plan_send_limit;
  const plan = planPeriod(instance, clock.now());
  if (limit === null) {
    await resetPlan(plan);
    return nothingReserved;
  }
  if (!(await reservePlan(db, plan, { count, limit }))) throw new Problem('plan_send_limit_exceeded');
  return {
    async release(error) {
      // The mail may be stored: its recipients count.
      if (isStoreLost(error)) return;
      // A reservation that cannot be released makes the plan slightly tighter; the send fails with its own error.
      await releasePlan(db, plan, count).catch(() => undefined);
    },
  };
}

const nothingReserved: Admission = { release: async () => undefined };

/** Charges message octets × recipients to the bandwidth of the instance. */
export async function takeBandwidth(
  { buckets }: AcceptContext,
  instance: SendingTerms,
  message: NewMessage,
): Promise<void> {
  const { size_bytes, personal_bytes, mails } = message;
  const sent = mails.filter(({ drop_reason }) => drop_reason === null).length;
  const bytes = sent === 0 ? 0 : (size_bytes - personal_bytes) * sent + personal_bytes;
  const burst = instance.bandwidth_burst_bytes;
  if (bytes > burst) {
    throw new Problem('request_too_large', {
      detail: 'The mail is larger than the burst capacity of the instance’s bandwidth.',
    });
  }
  const limits = { rate: instance.bandwidth_bytes_per_second, burst };
  refuseBeyond(await buckets.take(`bandwidth ${instance.id}`, bytes, limits));
}
