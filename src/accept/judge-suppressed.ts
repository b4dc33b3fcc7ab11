import { findConsentDrops } from '../consent/index.ts';
import type { KnownSender } from '../domains/index.ts';
import type { DropReason } from '../mails/index.ts';
import type { Suppressed } from '../restrictions/index.ts';
import type { AcceptContext } from './accept-context.ts';
import type { Draft } from './draft.ts';

interface Judged {
  draft: Draft;
  sender: KnownSender;
  suppressed: ReadonlyMap<string, Suppressed>;
}

/** Why suppressed recipients are not sent to, by address. Erased comes first: then nothing about them is stored. */
export async function judgeSuppressed(
  context: AcceptContext,
  { draft, sender, suppressed }: Judged,
): Promise<ReadonlyMap<string, DropReason>> {
  if (suppressed.size === 0) return noDrops;
  const erased = await findErased(context, { draft, sender, suppressed });
  const drops = new Map<string, DropReason>();
  for (const [address, { is_blocked, is_restricted }] of suppressed) {
    if (erased.has(address)) drops.set(address, 'recipient_erased');
    else if (is_blocked) drops.set(address, 'recipient_blocked');
    else if (is_restricted) drops.set(address, 'recipient_restricted');
  }
  return drops;
}

const noDrops: ReadonlyMap<string, DropReason> = new Map();

/**
 * Those to whom nothing is sent since they were erased. Mail of forms answers what the person did, so they get it; a person who came
 * back by such an act gets, besides, what they agreed to since: mail of senders with a purpose that their consent allows.
 */
async function findErased(
  { findConsent }: AcceptContext,
  { draft: { source, instance_id }, sender: { consent_purpose_id }, suppressed }: Judged,
): Promise<ReadonlySet<string>> {
  const all = [...suppressed].flatMap(([address, { erased }]) => (erased ? [{ address, erased }] : []));
  if (all.length === 0 || source === 'form') return new Set();
  const back = all.filter(({ erased }) => erased === 'back').map(({ address }) => address);
  if (back.length === 0 || consent_purpose_id === null) return new Set(all.map(({ address }) => address));
  const query = { instance_id, purpose_id: consent_purpose_id, addresses: back };
  const refusals = await findConsentDrops(findConsent, query);
  const agreed = new Set(back.filter((_, index) => refusals[index] === undefined));
  return new Set(all.map(({ address }) => address).filter((address) => !agreed.has(address)));
}
