import { resolveConsent, type ConsentVerdict } from '../consent/verdict.ts';
import type { KnownSender } from '../domains/sender-directory.ts';
import type { SendingTerms } from '../instances/instance-directory.ts';
import type { DropReason } from '../mails/new-message.ts';
import type { AcceptContext } from './accept-context.ts';
import type { Draft } from './draft.ts';

interface Deciding {
  draft: Draft;
  instance: SendingTerms;
  sender: KnownSender;
}

/** Why each recipient is not written to, by address in lower case; one that is absent is. */
export type Drops = Map<string, DropReason>;

/** The send is accepted all the same: each recipient is judged on its own, and the reason stands in its log. */
export async function decideDrops(
  { findRestricted, findUnsubscribed }: AcceptContext,
  { draft, instance, sender }: Deciding,
): Promise<Drops> {
  const addresses = draft.recipients.map(({ address }) => address.toLowerCase());
  if (attachmentBytes(draft) > instance.attachment_limit_bytes) {
    return new Map(addresses.map((address) => [address, 'attachments_over_limit']));
  }
  const question = { instance_id: draft.instance_id, addresses };
  const [restricted, unsubscribed] = await Promise.all([
    findRestricted(question),
    sender.stream === 'broadcast' ? findUnsubscribed(question) : nobody,
  ]);
  const drops: Drops = new Map([...unsubscribed].map((address) => [address, 'recipient_unsubscribed']));
  for (const address of restricted) drops.set(address, 'recipient_restricted');
  if (!sender.requires_consent || draft.test_mode) return drops;
  for (const [address, verdict] of await resolveConsent(addresses)) {
    const reason = consentReasons[verdict];
    if (reason && !drops.has(address)) drops.set(address, reason);
  }
  return drops;
}

const nobody: ReadonlySet<string> = new Set();

const consentReasons: Record<ConsentVerdict, DropReason | undefined> = {
  allow: undefined,
  deny: 'consent_revoked',
  none: 'consent_missing',
};

function attachmentBytes(draft: Draft): number {
  if (draft.kind === 'raw') return draft.attachment_bytes;
  return draft.attachments.reduce((sum, { content }) => sum + content.length, 0);
}
