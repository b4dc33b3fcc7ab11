/** Contract §7: the names of mail events, prefixed with `mail.`. */
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

/** The same as a list for SQL. The partial index `events` by transaction has this condition. */
export const eventTypesSql = `(${eventTypes.map((type) => `'${type.slice('mail.'.length)}'`).join(', ')})`;
