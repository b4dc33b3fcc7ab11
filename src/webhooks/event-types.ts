import { noticeTypes } from '../announce/index.ts';

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

export const eventTypes = [...mailTypes, ...receivedTypes, ...noticeTypes] as const;
export type EventType = (typeof eventTypes)[number];

/** Those that are followed, as a list for SQL. The partial index `events` by transaction has this condition. */
export const eventTypesSql = `(${followedTypes.map((type) => `'${type.slice('mail.'.length)}'`).join(', ')})`;
