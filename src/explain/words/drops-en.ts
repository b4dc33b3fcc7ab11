import type { CauseCode } from '../causes.ts';
import type { ShownConsent, Words } from './words.ts';

/** Mail that must not be sent, and mail that could not be made. */
export const dropsEn = {
  cancelled: {
    title: 'it was cancelled',
    text: 'A user or program of your instance cancelled the message before the mail was sent.',
    advice: ['If you want to send it after all, send it again as a new message.'],
  },
  attachments_over_limit: {
    title: 'its attachments are too large',
    text: ({ attachment_limit }) =>
      `Together the attachments are larger than your instance may send (${attachment_limit}).`,
    advice: [
      'Put the files somewhere else and send links to them.',
      'Or ask the operator for a larger `attachment_limit_bytes`, and send the mail again.',
    ],
  },
  consent_missing: {
    title: 'the recipient has not consented',
    text: ({ sender, recipient, consent }) =>
      `${sender} may write only to people who consented to “${consent?.purpose ?? ''}”, and no consent of ${recipient} was on record.`,
    advice: ({ recipient, consent }) =>
      givenSince(consent) ?? [
        `Ask ${recipient} for consent with a form, or record the one you have with POST /v1/consent-events.`,
        'If the mail is not advertising, for example a receipt, send it from a sender that does not require consent.',
      ],
  },
  consent_revoked: {
    title: 'the recipient withdrew consent',
    text: ({ recipient, consent }) => {
      if (consent?.verdict !== 'deny')
        return `${recipient} had withdrawn consent when the mail was to be sent.`;
      return `${recipient} withdrew consent to “${consent.purpose}” on ${consent.at} under the term “${consent.term}”.`;
    },
    advice: ({ consent }) =>
      givenSince(consent) ?? [
        'Do not write to them for this purpose: a new consent is needed, given by themselves.',
      ],
  },
  recipient_blocked: {
    title: 'the recipient is blocked at their own request',
    text: ({ recipient, blocked_since }) =>
      blocked_since === null
        ? `${recipient} was blocked at the person’s request. That has been lifted since.`
        : `${recipient} has been blocked at the person’s request since ${blocked_since}: nothing is sent to them.`,
    advice: ({ blocked_since }) => [
      blocked_since === null
        ? 'Send the mail again: nothing prevents it any more.'
        : 'Do not write to them. An administrator lifts the blocking on the page of the rights request when it ends.',
    ],
  },
  recipient_erased: {
    title: 'the recipient was erased at their own request',
    text: 'The person asked for the erasure of their data. Only a keyed hash of their address is kept. It gets mail again only for purposes that the person agrees to in a form with double opt-in.',
    advice: ['Remove the person from your own lists: this service no longer knows the address.'],
  },
  recipient_restricted: {
    title: 'the address is restricted',
    text: ({ recipient, restriction }) =>
      restriction === null
        ? `${recipient} was on the list of restricted addresses. It is not any more.`
        : `${recipient} has been restricted since ${restriction.at} (${restrictions[restriction.reason]}).`,
    advice: ({ restriction }) => {
      if (restriction === null) return ['Send the mail again: nothing prevents it any more.'];
      if (restriction.reason === 'complaint') return ['Do not write to them again: they complained.'];
      return [
        'Check the address with the person by other means.',
        'If it works, lift the restriction in the panel or with `chasqui restriction remove`, and send the mail again.',
      ];
    },
  },
  recipient_unsubscribed: {
    title: 'the recipient unsubscribed',
    text: ({ recipient, unsubscribed_at }) =>
      unsubscribed_at === null
        ? `${recipient} had unsubscribed from broadcast mail. They have subscribed again since.`
        : `${recipient} unsubscribed from broadcast mail on ${unsubscribed_at}.`,
    advice: ({ unsubscribed_at }) => [
      unsubscribed_at === null
        ? 'Send the mail again: nothing prevents it any more.'
        : 'Leave them out of broadcasts; only they can subscribe again.',
      'Mail that they need, such as receipts, belongs to a transactional sender.',
    ],
  },
  domain_not_verified: {
    title: 'the sender’s domain is not verified',
    text: ({ domain, is_revoked, records }) => {
      if (is_revoked) return `${domain} was revoked. Its mail waits, for five days at most.`;
      if (records.length === 0) return `${domain} was not verified when the mail’s turn came. It is now.`;
      return `${domain} lost its verification: DNS records are missing or wrong. Its mail waits, for five days at most.`;
    },
    advice: ({ domain, is_revoked, records }) => {
      if (is_revoked) return [`Ask the operator why ${domain} was revoked: only they can reinstate it.`];
      if (records.length === 0)
        return ['You do not need to do anything while it waits; if it is over, send it again.'];
      return [...records, `Then validate ${domain} in the panel or with POST /v1/domains/{id}/validate.`];
    },
  },
  instance_disabled: {
    title: 'your instance is disabled',
    text: 'Mail of a disabled instance waits, for five days at most.',
    advice: ['Ask the operator to enable it.'],
  },
  template_failed: {
    title: 'its template could not be rendered for this recipient',
    text: 'The template failed or took too long with the values of this recipient.',
    advice: ['Correct the template, try it with these values in its preview, and send the mail again.'],
  },
  message_expired: {
    title: 'its message no longer exists',
    text: 'The mail came back to the queue after its content had been deleted at the end of retention.',
    advice: ['Send it again if it is still wanted.'],
  },
  delivery_crashed: {
    title: 'the delivery process crashed while building it',
    text: 'Three processes ended while they built this mail, so it is not tried again.',
    advice: [
      'Tell the operator the id of the mail: the log of the service has the cause.',
      'Send it with simpler content.',
    ],
  },
  internal_error: {
    title: 'the platform could not build or sign it',
    text: 'Something on the platform failed before any server was contacted, such as a DKIM key that cannot be read.',
    advice: ['Tell the operator the id of the mail: the log of the service has the cause.'],
  },
} satisfies Partial<Record<CauseCode, Words>>;

const restrictions: Record<string, string> = {
  hard_bounce: 'a mail to it bounced permanently',
  complaint: 'its owner complained',
  manual: 'a user of your instance added it',
};

function givenSince(consent: ShownConsent | null): string[] | undefined {
  if (consent?.verdict !== 'allow') return undefined;
  return [`Consent has been on record since ${consent.at} (“${consent.term}”): send the mail again.`];
}
