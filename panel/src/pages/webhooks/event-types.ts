import type { WebhookDelivery } from '../../api/operations.ts';

export type EventType = WebhookDelivery['type'];

/** In the order in which they happen to a mail; then what is about no mail. One that is missing fails the type check. */
const order: Record<EventType, number> = {
  'mail.sent': 1,
  'mail.deferred': 2,
  'mail.bounced': 3,
  'mail.dropped': 4,
  'mail.opened': 5,
  'mail.clicked': 6,
  'mail.unsubscribed': 7,
  'mail.resubscribed': 8,
  'mail.complained': 9,
  'mail.received': 10,
  'alert.raised': 11,
  'alert.resolved': 12,
};

export const eventTypes = Object.keys(order) as EventType[];
