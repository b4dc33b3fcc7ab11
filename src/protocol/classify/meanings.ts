export type BounceType = 'hard' | 'soft' | 'block';

interface Treatment {
  /** What a permanent reply of this meaning does: end the mail, or be tried again because it blames us. */
  permanent: 'bounce' | 'retry';
  /** How the mail is called when it ends with this meaning. Only `hard` restricts the recipient. */
  type: BounceType;
  /** The destination asks for less mail at a time, whatever the mail. */
  throttled?: true;
}

/**
 * What a reply means, and what follows from it when it is permanent (5xx). The names are the stable reasons of logs
 * and events.
 */
export const meanings = {
  // The address will never work.
  no_such_user: { permanent: 'bounce', type: 'hard' },
  mailbox_disabled: { permanent: 'bounce', type: 'hard' },
  mailbox_moved: { permanent: 'bounce', type: 'hard' },
  bad_address: { permanent: 'bounce', type: 'hard' },
  bad_domain: { permanent: 'bounce', type: 'hard' },
  rejects_mail: { permanent: 'bounce', type: 'hard' },

  // The address works, but this mail will not reach it.
  mailbox_full: { permanent: 'bounce', type: 'soft' },
  message_too_big: { permanent: 'bounce', type: 'block' },
  bad_content: { permanent: 'bounce', type: 'block' },
  protocol_error: { permanent: 'bounce', type: 'block' },
  recipient_is_choosy: { permanent: 'bounce', type: 'block' },
  rejected: { permanent: 'bounce', type: 'block' },

  // They blame us: mending authentication, reputation or pace lets the same mail through.
  spam: { permanent: 'retry', type: 'block' },
  policy: { permanent: 'retry', type: 'block' },
  not_authenticated: { permanent: 'retry', type: 'block' },
  blocklisted: { permanent: 'retry', type: 'block' },
  sender_rejected: { permanent: 'retry', type: 'block' },
  rate_limited: { permanent: 'retry', type: 'block', throttled: true },

  // A temporary problem of theirs.
  greylisted: { permanent: 'retry', type: 'soft' },
  mailbox_busy: { permanent: 'retry', type: 'soft' },
  routing: { permanent: 'retry', type: 'soft' },
  system: { permanent: 'retry', type: 'soft' },
  temporary_failure: { permanent: 'retry', type: 'soft' },
} as const satisfies Record<string, Treatment>;

export type Meaning = keyof typeof meanings;

export function treatmentOf(meaning: Meaning): Treatment {
  return meanings[meaning];
}
