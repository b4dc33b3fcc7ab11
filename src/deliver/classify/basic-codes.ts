import type { Meaning } from './meanings.ts';

/** Where in the session a reply came or a connection broke: the command that was being answered. */
export type Phase = 'greeting' | 'ehlo' | 'starttls' | 'mail' | 'rcpt' | 'data' | 'body';

const protocolErrors = new Set([500, 501, 502, 503, 504, 555]);

const atRecipient: Record<number, Meaning> = {
  521: 'rejects_mail', // RFC 7504
  530: 'policy',
  535: 'policy',
  550: 'no_such_user',
  551: 'no_such_user',
  552: 'mailbox_full',
  553: 'bad_address',
  556: 'rejects_mail', // RFC 7504
};

/** What a permanent reply means by its three digits and its place in the session alone. */
export function meaningOfBasicCode(code: number, phase: Phase): Meaning {
  switch (phase) {
    case 'greeting':
    case 'ehlo':
      return 'policy';
    case 'starttls':
      return 'system';
    case 'mail':
      if (code === 552) return 'message_too_big';
      return protocolErrors.has(code) ? 'protocol_error' : 'sender_rejected';
    case 'rcpt':
      return atRecipient[code] ?? (protocolErrors.has(code) ? 'protocol_error' : 'rejected');
    case 'data':
    case 'body':
      if (code === 552) return 'message_too_big';
      return protocolErrors.has(code) ? 'protocol_error' : 'rejected';
  }
}

/** Before the recipient was named, nothing can be said about it. */
export function isAboutRecipient(phase: Phase): boolean {
  return phase === 'rcpt' || phase === 'data' || phase === 'body';
}
