import type { Explanation } from '../../api/operations.ts';

/** What a person can do about a mail. */
export type Ask = 'resend' | 'restrict' | 'retry' | 'cancel' | 'lift';

interface Standing {
  /** Of the mail: 2 queued, 4 dropped, 5 deferred, 6 bounced. */
  status: number | null;
  code: Explanation['cause']['code'];
  side: Explanation['cause']['side'];
  isRestricted: boolean;
}

/** Causes of the recipient's side that end by themselves, or with what the sender does. */
const passing = new Set<Explanation['cause']['code']>([
  'mailbox_full',
  'mailbox_busy',
  'mailbox_locked',
  'recipient_restricted',
]);
/** Sending again asks for the same answer, or a person said no. */
const final = new Set<Explanation['cause']['code']>([
  'consent_missing',
  'attachments_over_limit',
  'cancelled',
]);

/** What stands beside the advice: what may help now, the first one first. */
export function advisedOf({ status, code, side, isRestricted }: Standing): Ask[] {
  const lift: Ask[] = isRestricted && status !== 3 ? ['lift'] : [];
  if (status === 5 && code !== 'in_delivery' && code !== 'destination_paused') return [...lift, 'retry'];
  const hasEnded = status === 4 || status === 6;
  const mayHelp = side === 'recipient' ? passing.has(code) : side !== 'none' && !final.has(code);
  return hasEnded && mayHelp ? [...lift, 'resend'] : lift;
}
