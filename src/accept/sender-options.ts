import { validationProblem, type Violation } from '../base/errors/problem.ts';
import type { KnownSender } from '../domains/index.ts';
import type { TrackedEvent } from '../mails/index.ts';
import type { Draft, RecipientsVisible } from './draft.ts';

/** Throws what a send asks for and its sender does not do. */
export function requireSenderOptions(draft: Draft, sender: KnownSender): void {
  const { recipients_visible, tracking, required_stream, required_purpose } = draft;
  if ((recipients_visible ?? tracking ?? required_stream ?? required_purpose) === undefined) return;
  const violations = [
    ...aboutStream(draft, sender),
    ...aboutPurpose(draft, sender),
    ...aboutVisible(draft, sender),
    ...aboutTracking(draft, sender),
  ];
  if (violations.length > 0) throw validationProblem(violations);
}

/**
 * Whom a message names (contract §6): recipients of a broadcast never see each other, and those who have variables of their own
 * only when the send says so.
 */
export function visibleRecipients(
  { recipients, recipients_visible }: Draft,
  { stream }: KnownSender,
): RecipientsVisible {
  if (stream === 'broadcast') return 'self';
  const isPersonal = recipients.some(({ variables }) => variables !== undefined);
  return recipients_visible ?? (isPersonal ? 'self' : 'all');
}

function aboutStream({ required_stream }: Draft, { stream }: KnownSender): Violation[] {
  if (required_stream === undefined || required_stream === stream) return [];
  const message = `The stream of the sender is ${stream}, not ${required_stream}: use a sender of that stream`;
  return [{ pointer: '/stream', code: 'value_error.stream', message }];
}

function aboutPurpose({ required_purpose }: Draft, { consent_purpose_id }: KnownSender): Violation[] {
  if (required_purpose === undefined || required_purpose === consent_purpose_id) return [];
  const message = `The sender does not require consent for purpose ${required_purpose}: use a sender that does`;
  return [{ pointer: '/purpose', code: 'value_error.purpose', message }];
}

function aboutVisible({ recipients_visible }: Draft, { stream }: KnownSender): Violation[] {
  if (stream !== 'broadcast' || recipients_visible !== 'all') return [];
  const message = 'recipients_visible is self for a broadcast sender: its recipients do not see each other';
  return [{ pointer: '/recipients_visible', code: 'value_error.broadcast_recipients', message }];
}

const settings = { opens: 'track_opens', clicks: 'track_clicks' } as const;

function aboutTracking({ tracking }: Draft, sender: KnownSender): Violation[] {
  const asked = (Object.keys(settings) as TrackedEvent[]).filter((each) => tracking?.[each] === true);
  return asked
    .filter((each) => !sender[settings[each]])
    .map((each) => ({
      pointer: `/tracking/${each}`,
      code: 'value_error.tracking_off',
      message: `The sender does not track ${each}: set ${settings[each]} of the sender, a send can only switch tracking off`,
    }));
}
