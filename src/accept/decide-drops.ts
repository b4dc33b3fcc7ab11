import { findConsentDrops } from '../consent/index.ts';
import type { KnownSender } from '../domains/index.ts';
import type { SendingTerms } from '../instances/index.ts';
import type { DropReason } from '../mails/index.ts';
import type { AcceptContext } from './accept-context.ts';
import type { Draft } from './draft.ts';
import type { RecipientsAhead } from './recipients-ahead.ts';

interface Deciding {
  draft: Draft;
  instance: SendingTerms;
  /** Without one nobody is dropped: the send is refused. */
  sender: KnownSender | undefined;
  ahead?: RecipientsAhead | undefined;
}

/** Why each recipient is not written to, by address in lower case; one that is absent is. */
export type Drops = Map<string, DropReason>;

/** The send is accepted all the same: each recipient is judged on its own, and the reason stands in its log. */
export async function decideDrops(
  context: AcceptContext,
  { draft, instance, sender, ahead }: Deciding,
): Promise<Drops> {
  if (!sender) return new Map();
  const addresses = draft.recipients.map(({ address }) => address);
  if (attachmentBytes(draft) > instance.attachment_limit_bytes) {
    return new Map(addresses.map((address) => [address.toLowerCase(), 'attachments_over_limit']));
  }
  const question = { instance_id: draft.instance_id, addresses };
  const [restricted, unsubscribed, unagreed] = await Promise.all([
    findRestricted(context, question, ahead),
    sender.stream === 'broadcast' ? context.findUnsubscribed(question) : nobody,
    draft.test_mode ? no_drops : findUnagreed(context, sender, question),
  ]);
  const drops: Drops = new Map(unagreed);
  for (const address of unsubscribed) drops.set(address, 'recipient_unsubscribed');
  for (const address of restricted) drops.set(address, 'recipient_restricted');
  return drops;
}

async function findRestricted(
  context: AcceptContext,
  question: { instance_id: number; addresses: string[] },
  ahead: RecipientsAhead | undefined,
): Promise<ReadonlySet<string>> {
  return (await ahead?.restricted(question.addresses)) ?? (await context.findRestricted(question));
}

const nobody: ReadonlySet<string> = new Set();
const no_drops: ReadonlyMap<string, DropReason> = new Map();

/** Those whose consent the sender needs and does not have. */
async function findUnagreed(
  { findConsent }: AcceptContext,
  { requires_consent, consent_purpose_id }: KnownSender,
  { instance_id, addresses }: { instance_id: number; addresses: string[] },
): Promise<ReadonlyMap<string, DropReason>> {
  if (!requires_consent || consent_purpose_id === null) return no_drops;
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
