/** Contract §7: the names of mail events, prefixed with `mail.`. These are followed in the log. */
export const followedTypes = [
  'mail.sent',
  'mail.bounced',
  'mail.dropped',
  'mail.opened',
  'mail.clicked',
  'mail.unsubscribed',
  'mail.resubscribed',
  'mail.complained',
] as const;

/** And deferrals, which `events/record-outcomes.ts` announces by itself: at most one an hour of each mail. */
export const mailTypes = [...followedTypes, 'mail.deferred'] as const;
export type MailEventType = (typeof mailTypes)[number];

/** About mail that came in: `received-events.ts` announces it. */
export const receivedTypes = ['mail.received'] as const;
export type ReceivedEventType = (typeof receivedTypes)[number];

/** About no mail: `notices.ts` announces them. Only our own format has them. */
export const alertTypes = ['alert.raised', 'alert.resolved'] as const;
export type AlertEventType = (typeof alertTypes)[number];

export const eventTypes = [...mailTypes, ...receivedTypes, ...alertTypes] as const;
export type EventType = (typeof eventTypes)[number];

/** Those that are followed, as a list for SQL. The partial index `events` by transaction has this condition. */
export const eventTypesSql = `(${followedTypes.map((type) => `'${type.slice('mail.'.length)}'`).join(', ')})`;
