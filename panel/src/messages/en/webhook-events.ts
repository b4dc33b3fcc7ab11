import type { WebhookDelivery } from '../../api/operations.ts';

/** What happened, and when one is told of it. */
export const messages = {
  'mail.sent': { name: 'Delivered', about: 'The recipient’s server took the mail.' },
  'mail.deferred': { name: 'Deferred', about: 'An attempt failed for now; at most one an hour is told.' },
  'mail.bounced': { name: 'Bounced', about: 'It was permanently rejected, or attempts ended.' },
  'mail.dropped': {
    name: 'Dropped',
    about: 'It was not sent: restricted, unsubscribed, no consent, cancelled.',
  },
  'mail.opened': { name: 'Opened', about: 'A person or a program loaded its images.' },
  'mail.clicked': { name: 'Clicked', about: 'A link of it was followed.' },
  'mail.unsubscribed': { name: 'Unsubscribed', about: 'The recipient wants no more broadcasts.' },
  'mail.resubscribed': { name: 'Resubscribed', about: 'The recipient came back.' },
  'mail.complained': { name: 'Complained', about: 'The recipient reported it as spam or abuse.' },
  'mail.received': { name: 'Received', about: 'Mail came in for an inbound route of a domain.' },
  'alert.raised': { name: 'Alert raised', about: 'Something in the instance needs attention.' },
  'alert.resolved': { name: 'Alert ended', about: 'The cause of an alert is gone.' },
} satisfies Record<WebhookDelivery['type'], { name: string; about: string }>;
