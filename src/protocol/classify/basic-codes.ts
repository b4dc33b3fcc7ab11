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

const beforeMail: Partial<Record<Phase, Meaning>> = {
  greeting: 'policy',
  ehlo: 'policy',
  starttls: 'system',
};

/** What a permanent reply means, only by its three digits and its place in the session. */
export function meaningOfBasicCode(code: number, phase: Phase): Meaning {
  const early = beforeMail[phase];
  if (early !== undefined) return early;
  if (protocolErrors.has(code)) return 'protocol_error';
  if (phase === 'rcpt') return atRecipient[code] ?? 'rejected';
  if (code === 552) return 'message_too_big';
  return phase === 'mail' ? 'sender_rejected' : 'rejected';
}

/** Before the recipient was named, nothing can be said about it. */
export function isAboutRecipient(phase: Phase): boolean {
  return phase === 'rcpt' || phase === 'data' || phase === 'body';
}
