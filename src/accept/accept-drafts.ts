import { isStoreLost } from '../base/db/batcher.ts';
import { Problem } from '../base/errors/problem.ts';
import type { KnownSender } from '../domains/index.ts';
import type { NewKeptAnswer, NewMessage } from '../mails/index.ts';
import type { AcceptContext } from './accept-context.ts';
import { admit, takeBandwidth } from './admission.ts';
import { KeyTaken } from './answer-once.ts';
import { composeMessage } from './compose.ts';
import { decideDrops, type Drops } from './decide-drops.ts';
import type { Draft } from './draft.ts';
import { findSource } from './find-source.ts';
import type { GroupCommit } from './group-commit.ts';
import type { RestrictionPrefetch } from './restriction-prefetch.ts';
import { requireSenderOptions } from './sender-options.ts';
import { withoutErased } from './without-erased.ts';
import type { Accepted, AcceptedCall } from './written-mail.ts';

/** A draft on its way in. It ends with a message or with a refusal. */
export interface Entry {
  draft: Draft;
  sender: KnownSender | undefined;
  drops: Drops;
  accepted?: Accepted;
  refusal?: Problem;
}

export interface Accepting {
  instance_id: number;
  drafts: Draft[];
  prefetch?: RestrictionPrefetch | undefined;
  /** One refusal refuses all. */
  all_or_none: boolean;
  /** The answer to store with the messages. */
  answer?: ((entries: Entry[]) => NewKeptAnswer) | undefined;
  /** Commits in place of the group commit, what is refused of all included. */
  store?: ((call: AcceptedCall, entries: Entry[]) => ReturnType<GroupCommit['write']>) | undefined;
}

/**
 * Drafts of one call, of any way in: what is not refused is committed together, in the order given. The order of the steps
 * is the order of refusals (contract §6): plan, sender and template, content, bandwidth. Throws what refuses the whole call.
 */
export async function acceptDrafts(context: AcceptContext, accepting: Accepting): Promise<Entry[]> {
  const { instance_id, drafts, prefetch, all_or_none } = accepting;
  const instance = await context.instances.get(instance_id);
  if (instance.subscription_status !== 'active') throw new Problem('subscription_inactive');
  const entries = drafts.map((draft): Entry => ({ draft, sender: undefined, drops: noDrops }));
  await eachOf(entries, async (entry) => {
    const sender = await context.senders.find(instance_id, entry.draft.sender_email);
    entry.sender = sender && forPurpose(sender, entry.draft);
    if (entry.sender) requireSenderOptions(entry.draft, entry.sender);
    entry.drops = await decideDrops(context, {
      draft: entry.draft,
      instance,
      sender: entry.sender,
      prefetch,
    });
  });
  const admission = await admit(context, instance, { entries, all_or_none });
  try {
    await eachOf(entries, async (entry) => {
      const { draft, drops } = entry;
      const { sender, template } = await findSource(context, draft, entry.sender);
      const message = withoutErased(await composeMessage(context, { draft, drops, sender, template }));
      entry.accepted = { message, sender, instance };
    });
    limitTotal(entries);
    if (!all_or_none || entries.every(isAccepted)) {
      await takeBandwidth(context, instance, { entries, all_or_none });
      await commit(context, entries, accepting);
    }
  } catch (error) {
    // The mail may be stored: its recipients count.
    if (!isStoreLost(error)) await admission.release(entries);
    throw error;
  }
  if (!entries.every(isAccepted))
    await admission.release(all_or_none ? entries : entries.filter((entry) => !isAccepted(entry)));
  return entries;
}

const noDrops: Drops = new Map();

/** The sender as it is for mail about a purpose of its own. */
function forPurpose(sender: KnownSender, { consent_purpose_id }: Draft): KnownSender {
  return consent_purpose_id === undefined
    ? sender
    : { ...sender, requires_consent: true, consent_purpose_id };
}

export function isAccepted({ refusal }: Entry): boolean {
  return refusal === undefined;
}

type Step = (entry: Entry) => Promise<void>;

/** Runs a step of all that are not refused yet. Their look-ups share statements. */
function eachOf(entries: Entry[], step: Step): Promise<unknown> {
  const [first] = entries;
  // Most calls have one mail.
  if (first && entries.length === 1) return runStep(first, step);
  return Promise.all(entries.map((entry) => runStep(entry, step)));
}

async function runStep(entry: Entry, step: Step): Promise<void> {
  if (!isAccepted(entry)) return;
  try {
    await step(entry);
  } catch (error) {
    if (!(error instanceof Problem) || isStoreLost(error)) throw error;
    entry.refusal = error;
  }
}

/** One transaction holds as much: a batch may name one large template 500 times. */
const maxTotalBytes = 64 * 1024 * 1024;

function limitTotal(entries: Entry[]): void {
  let total = 0;
  for (const entry of entries) {
    if (!isAccepted(entry)) continue;
    total += entry.accepted?.message.size_bytes ?? 0;
    if (total <= maxTotalBytes) continue;
    entry.refusal = new Problem('request_too_large', {
      detail: `The mails of one batch have at most ${maxTotalBytes} bytes together; send this one in another batch.`,
    });
    total -= entry.accepted?.message.size_bytes ?? 0;
  }
}

async function commit(
  { commits }: AcceptContext,
  entries: Entry[],
  { answer: answerTo, store }: Accepting,
): Promise<void> {
  const accepted: Accepted[] = [];
  for (const entry of entries) if (isAccepted(entry) && entry.accepted) accepted.push(entry.accepted);
  const answer = answerTo?.(entries);
  if (accepted.length === 0 && !answer && !store) return;
  const call = { accepted, answer };
  const written = store ? await store(call, entries) : await commits.write(call);
  if (written === 'key_taken') throw new KeyTaken();
}

export function messageOf(entry: Entry | undefined): NewMessage {
  const { accepted, refusal } = entry ?? {};
  if (refusal) throw refusal;
  if (!accepted) throw new Error('a draft was neither accepted nor refused');
  return accepted.message;
}
