import type { WebhookDelivery } from '../../api/operations.ts';

/** What happened, and when an event is sent. */
export const messages = {
  'mail.sent': { name: 'Delivered', about: 'The recipient’s server accepted the mail.' },
  'mail.deferred': {
    name: 'Deferred',
    about: 'An attempt failed and will be repeated. At most one event an hour.',
  },
  'mail.bounced': { name: 'Bounced', about: 'It was permanently rejected, or its attempts ended.' },
  'mail.dropped': {
    name: 'Dropped',
    about: 'It was not sent: restricted, unsubscribed, no consent, cancelled.',
  },
  'mail.opened': { name: 'Opened', about: 'A person or a program loaded its images.' },
  'mail.clicked': { name: 'Clicked', about: 'One of its links was followed.' },
  'mail.unsubscribed': { name: 'Unsubscribed', about: 'The recipient wants no more broadcasts.' },
  'mail.resubscribed': { name: 'Resubscribed', about: 'The recipient subscribed again.' },
  'mail.complained': { name: 'Complained', about: 'The recipient reported it as spam or abuse.' },
  'mail.received': { name: 'Received', about: 'Mail came in for an inbound route of a domain.' },
  'alert.raised': { name: 'Alert raised', about: 'Something in the instance needs attention.' },
  'alert.resolved': { name: 'Alert ended', about: 'The cause of an alert is gone.' },
  'broadcast.finished': {
    name: 'Broadcast finished',
    about: 'Every recipient was handed over, or it was cancelled.',
  },
  'form.submitted': {
    name: 'Form filled in',
    about: 'A person answered a form; it may wait for confirmation.',
  },
  'form.confirmed': { name: 'Form confirmed', about: 'The person confirmed their answer by mail.' },
  'consent.granted': { name: 'Consent granted', about: 'A consent took effect.' },
  'consent.withdrawn': {
    name: 'Consent withdrawn',
    about: 'By a form, a link to unsubscribe, a privacy request or your program.',
  },
  'rights.requested': { name: 'Privacy request', about: 'A request is open: the time to answer runs.' },
} satisfies Record<WebhookDelivery['type'], { name: string; about: string }>;
