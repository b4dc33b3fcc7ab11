import { Problem } from '../base/errors/problem.ts';
import { isAtOrBelow, sandboxZone } from '../domains/index.ts';
import type { SendingTerms } from '../instances/index.ts';
import { planPeriod, refuseBeyond, releasePlan, reservePlan } from '../limits/index.ts';
import type { AcceptContext } from './accept-context.ts';
import type { Entry } from './accept-drafts.ts';

interface Admitting {
  entries: Entry[];
  /** What refuses one refuses the call. */
  all_or_none: boolean;
}

interface Admission {
  /** Returns the reservations of what was refused later. */
  release(refused: Entry[]): Promise<void>;
}

/** Reserves the recipients of each mail in the plan of the instance, all of a mail or none. */
export async function admit(
  { db, clock, resetPlan }: AcceptContext,
  instance: SendingTerms,
  { entries, all_or_none }: Admitting,
): Promise<Admission> {
  const counted = amountsOf(entries, countedRecipients);
  if (counted.length === 0) return nothingReserved;
  const limit = instance.plan_send_limit;
  const plan = planPeriod(instance, clock.now());
  if (limit === null) {
    await resetPlan(plan);
    return nothingReserved;
  }
  const take = async (count: number): Promise<void> => {
    if (!(await reservePlan(db, plan, { count, limit }))) throw new Problem('plan_send_limit_exceeded');
  };
  if (all_or_none) await takeAll(counted, take);
  else await takeEach(counted, take);
  const reserved = new Map(counted.flatMap(({ entry, amount }) => (entry.refusal ? [] : [[entry, amount]])));
  return {
    async release(refused) {
      const count = refused.reduce((sum, entry) => sum + (reserved.get(entry) ?? 0), 0);
      // A reservation that cannot be released makes the plan slightly tighter; the send fails with its own error.
      if (count > 0) await releasePlan(db, plan, count).catch(() => undefined);
    },
  };
}

const nothingReserved: Admission = { release: async () => undefined };

/** Dropped and sandbox recipients do not count. */
function countedRecipients({ draft, drops }: Entry): number {
  return draft.recipients.filter(
    ({ address, domain }) => !drops.has(address.toLowerCase()) && !isAtOrBelow(domain, sandboxZone),
  ).length;
}

/** Charges message octets × recipients to the bandwidth of the instance. */
export async function takeBandwidth(
  { buckets }: AcceptContext,
  instance: SendingTerms,
  { entries, all_or_none }: Admitting,
): Promise<void> {
  const burst = instance.bandwidth_burst_bytes;
  const limits = { rate: instance.bandwidth_bytes_per_second, burst };
  let wanted = amountsOf(entries, bytesToSend);
  if (!all_or_none) {
    for (const { entry, amount } of wanted) if (amount > burst) entry.refusal = overBurst();
    wanted = wanted.filter(({ entry }) => !entry.refusal);
  }
  const isBackground = entries.some(({ draft }) => draft.is_background);
  const take = async (bytes: number): Promise<void> => {
    // All mails of a batch together: each may fit by itself.
    if (bytes > (isBackground ? burst / 2 : burst)) throw overBurst();
    if (isBackground) refuseBeyond(await buckets.take(`background ${instance.id}`, bytes, halfOf(limits)));
    refuseBeyond(await buckets.take(`bandwidth ${instance.id}`, bytes, limits));
  };
  if (all_or_none) await takeAll(wanted, take);
  else await takeEach(wanted, take);
}

/** What mail in the background may use: the other half is left to what people and programs wait for. */
function halfOf({ rate, burst }: { rate: number; burst: number }): { rate: number; burst: number } {
  return { rate: rate / 2, burst: burst / 2 };
}

function bytesToSend({ accepted }: Entry): number {
  if (!accepted) return 0;
  const { size_bytes, personal_bytes, mails } = accepted.message;
  const sent = mails.filter(({ drop_reason }) => drop_reason === null).length;
  return sent === 0 ? 0 : (size_bytes - personal_bytes) * sent + personal_bytes;
}

function overBurst(): Problem {
  return new Problem('request_too_large', {
    detail: 'The mail is larger than the burst capacity of the instance’s bandwidth.',
  });
}

interface Wanted {
  entry: Entry;
  amount: number;
}

/** What entries that are not refused take, those without it left out. */
function amountsOf(entries: Entry[], amountOf: (entry: Entry) => number): Wanted[] {
  const wanted: Wanted[] = [];
  for (const entry of entries) {
    const amount = entry.refusal ? 0 : amountOf(entry);
    if (amount > 0) wanted.push({ entry, amount });
  }
  return wanted;
}

type Take = (amount: number) => Promise<void>;

/** Takes what all want in one step, or throws. */
function takeAll(wanted: Wanted[], take: Take): Promise<void> | undefined {
  return wanted.length === 0 ? undefined : take(sumOf(wanted));
}

/**
 * Takes what all want in one step; where that is too much, what each wants, in order. What wants no less than another that was
 * just refused is refused without asking.
 */
async function takeEach(wanted: Wanted[], take: Take): Promise<void> {
  if (wanted.length === 0 || !(await refusalOf(take, sumOf(wanted)))) return;
  let least: { amount: number; refusal: Problem } | undefined;
  for (const { entry, amount } of wanted) {
    const refusal = least && amount >= least.amount ? least.refusal : await refusalOf(take, amount);
    if (!refusal) continue;
    entry.refusal = refusal;
    least = { amount: Math.min(amount, least?.amount ?? amount), refusal };
  }
}

function sumOf(wanted: Wanted[]): number {
  return wanted.reduce((sum, { amount }) => sum + amount, 0);
}

async function refusalOf(take: Take, amount: number): Promise<Problem | undefined> {
  try {
    await take(amount);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
