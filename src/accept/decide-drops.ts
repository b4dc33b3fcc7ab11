import { findConsentDrops } from '../consent/index.ts';
import type { KnownSender } from '../domains/index.ts';
import type { SendingTerms } from '../instances/index.ts';
import type { Suppressed } from '../restrictions/index.ts';
import type { DropReason } from '../mails/index.ts';
import type { AcceptContext } from './accept-context.ts';
import type { Draft } from './draft.ts';
import { judgeSuppressed } from './judge-suppressed.ts';
import type { RestrictionPrefetch } from './restriction-prefetch.ts';

interface DropInput {
  draft: Draft;
  instance: SendingTerms;
  /** Undefined when unknown; the send is then refused and nothing is dropped. */
  sender: KnownSender | undefined;
  prefetch?: RestrictionPrefetch | undefined;
}

/** Drop reason by lower-cased address. Recipients without an entry are sent to. */
export type Drops = ReadonlyMap<string, DropReason>;

/** Recipients are evaluated one by one. A drop does not fail the send; its reason is in the log of the mail. */
export async function decideDrops(
  context: AcceptContext,
  { draft, instance, sender, prefetch }: DropInput,
): Promise<Drops> {
  if (!sender) return new Map();
  const addresses = draft.recipients.map(({ address }) => address);
  if (attachmentBytes(draft) > instance.attachment_limit_bytes) {
    return new Map(addresses.map((address) => [address.toLowerCase(), 'attachments_over_limit']));
  }
  const lookup = { instance_id: draft.instance_id, addresses };
  const isBroadcast = sender.stream === 'broadcast';
  const needsConsent = sender.requires_consent && !draft.test_mode;
  if (!isBroadcast && !needsConsent) {
    const suppressed = await findSuppressed(context, lookup, prefetch);
    return suppressed.size === 0 ? noDrops : await judgeSuppressed(context, { draft, sender, suppressed });
  }
  const [refused, unsubscribed, withoutConsent] = await Promise.all([
    findSuppressed(context, lookup, prefetch).then(
      async (suppressed) => await judgeSuppressed(context, { draft, sender, suppressed }),
    ),
    isBroadcast
      ? context.findUnsubscribed({ ...lookup, purpose_id: sender.consent_purpose_id })
      : noAddresses,
    needsConsent ? consentDropsByAddress(context, sender, lookup) : noDrops,
  ]);
  const drops = new Map(withoutConsent);
  for (const address of unsubscribed) drops.set(address, 'recipient_unsubscribed');
  for (const [address, reason] of refused) drops.set(address, reason);
  return drops;
}

async function findSuppressed(
  context: AcceptContext,
  lookup: { instance_id: number; addresses: string[] },
  prefetch: RestrictionPrefetch | undefined,
): Promise<ReadonlyMap<string, Suppressed>> {
  const prefetched = prefetch && (await prefetch.suppressed(lookup.addresses));
  return prefetched ?? (await context.findSuppressed(lookup));
}

const noAddresses: ReadonlySet<string> = new Set();
const noDrops: ReadonlyMap<string, DropReason> = new Map();

/** Recipients without the consent that the sender requires. */
async function consentDropsByAddress(
  { findConsent }: AcceptContext,
  { consent_purpose_id }: KnownSender,
  { instance_id, addresses }: { instance_id: number; addresses: string[] },
): Promise<ReadonlyMap<string, DropReason>> {
  if (consent_purpose_id === null) return noDrops;
  const reasons = await findConsentDrops(findConsent, {
    instance_id,
    purpose_id: consent_purpose_id,
    addresses,
  });
  return new Map(
    addresses.flatMap((address, index) => {
      const reason = reasons[index];
      return reason ? [[address.toLowerCase(), reason]] : [];
    }),
  );
}

function attachmentBytes(draft: Draft): number {
  if (draft.kind === 'raw') return draft.attachment_bytes;
  return draft.attachments.reduce((sum, { content }) => sum + content.length, 0);
}
