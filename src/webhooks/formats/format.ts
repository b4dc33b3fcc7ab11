import type { EventType } from '../event-types.ts';
import { alertTypes, eventTypes, receivedTypes } from '../event-types.ts';
import type { MailEvent } from '../payload.ts';
import { renderPayload } from '../payload.ts';
import { postmarkPayload } from './postmark-payload.ts';
import { resendPayload } from './resend-payload.ts';
import { sendgridPayload } from './sendgrid-payload.ts';

/** Whose form the bodies of a webhook have. */
export const webhookFormats = ['chasqui', 'resend', 'postmark', 'sendgrid'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** What the other services have no event for. */
const without: Record<WebhookFormat, readonly EventType[]> = {
  chasqui: [],
  resend: ['mail.unsubscribed', 'mail.resubscribed', ...alertTypes],
  postmark: ['mail.dropped', ...alertTypes],
  sendgrid: ['mail.resubscribed', ...receivedTypes, ...alertTypes],
};

export function eventsOfFormat(format: WebhookFormat): EventType[] {
  return eventTypes.filter((type) => !without[format].includes(type));
}

export function formatsOfEvent(type: EventType): WebhookFormat[] {
  return webhookFormats.filter((format) => !without[format].includes(type));
}

/** The body of a delivery. An event that its form has no words for has ours. */
const render: Record<WebhookFormat, (event: MailEvent) => string> = {
  chasqui: renderPayload,
  resend: (event) => JSON.stringify(resendPayload(event)),
  postmark: (event) => JSON.stringify(postmarkPayload(event)),
  // An array there.
  sendgrid: (event) => JSON.stringify([sendgridPayload(event)]),
};

/** The body of a delivery. */
export function payloadIn(format: WebhookFormat, event: MailEvent): string {
  return render[format](event);
}
