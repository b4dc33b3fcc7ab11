import type { Envelope, TrackedEvent } from '../mails/index.ts';
import type { Draft } from './draft.ts';
import type { MailSource } from './find-source.ts';
import { visibleRecipients } from './sender-options.ts';

export interface Addressing extends MailSource {
  draft: Draft;
}

const trackedEvents: TrackedEvent[] = ['opens', 'clicks'];

/** The visible header of a message, and what delivery does differently for it. What is as usual is not stored. */
export function envelopeOf(addressing: Addressing): Envelope {
  const { draft, sender } = addressing;
  const recipients_visible = visibleRecipients(draft, sender);
  const { tracking } = draft;
  const untracked = tracking && trackedEvents.filter((each) => tracking[each] === false);
  const envelope = headerOf(addressing);
  if (recipients_visible === 'self') envelope.recipients_visible = recipients_visible;
  if (untracked && untracked.length > 0) envelope.untracked = untracked;
  if (draft.reply_token === true) envelope.reply_token = true;
  return envelope;
}

function headerOf({ draft, sender, template }: Addressing): Envelope {
  const address = sender.email_address;
  if (draft.kind === 'raw') {
    const { subject, to, cc, from_name: name } = draft;
    return { from: { address, name }, to, cc, subject, headers: [] };
  }
  const named = (kind: 'to' | 'cc') =>
    draft.recipients
      .filter((each) => each.kind === kind)
      .map(({ address: to, name }) => ({ address: to, name }));
  const { reply_to, headers, sender_name } = draft;
  return {
    from: { address, name: sender_name ?? sender.name },
    to: named('to'),
    cc: named('cc'),
    // Versions before know one only.
    reply_to: reply_to.length > 1 ? reply_to : reply_to[0],
    subject: draft.kind === 'template' ? (template?.subject ?? '') : draft.subject,
    headers,
  };
}
