/** Contract §7. Each is an event of a mail's log with `mail.` in front. */
export const eventTypes = [
  'mail.sent',
  'mail.bounced',
  'mail.dropped',
  'mail.opened',
  'mail.clicked',
  'mail.unsubscribed',
  'mail.resubscribed',
  'mail.complained',
] as const;
export type EventType = (typeof eventTypes)[number];
