import type { FoundMail } from '../find-messages.ts';

/** From what counts most: of several recipients the first of these that is so of any. */
const ranks = [
  'complained',
  'bounced',
  'clicked',
  'opened',
  'delivered',
  'delivery_delayed',
  'suppressed',
  'failed',
  'queued',
  'scheduled',
  'canceled',
] as const;
export type LastEvent = (typeof ranks)[number];

const failures: ReadonlySet<string> = new Set([
  'attachments_over_limit',
  'instance_disabled',
  'message_expired',
  'template_failed',
]);

/** A mail that the server of its recipient took is `delivered` at Resend, and `sent` here. */
export function lastEvent(
  mails: readonly Pick<FoundMail, 'status' | 'opens' | 'clicks' | 'is_complained' | 'reason'>[],
  is_scheduled: boolean,
): LastEvent {
  const events = new Set(mails.map((mail) => eventOf(mail, is_scheduled)));
  return ranks.find((rank) => events.has(rank)) ?? 'queued';
}

function eventOf(
  { status, opens, clicks, is_complained, reason }: Parameters<typeof lastEvent>[0][number],
  is_scheduled: boolean,
): LastEvent {
  if (is_complained) return 'complained';
  if (status === 6) return reason !== null && failures.has(reason) ? 'failed' : 'bounced';
  if (status === 4) {
    if (reason === 'cancelled') return 'canceled';
    return reason !== null && failures.has(reason) ? 'failed' : 'suppressed';
  }
  if (clicks > 0) return 'clicked';
  if (opens > 0) return 'opened';
  if (status === 3) return 'delivered';
  if (status === 5) return 'delivery_delayed';
  return is_scheduled ? 'scheduled' : 'queued';
}
