import type { WebhookDelivery } from '../../api/operations.ts';
import { dictionary } from '../../shell/languages.ts';

export type EventType = WebhookDelivery['type'];

/** What happened, and when one is told of it. */
export const eventWords = dictionary({
  en: {
    'mail.sent': { name: 'Delivered', about: 'The recipient’s server took the mail.' },
    'mail.bounced': { name: 'Bounced', about: 'It was refused for good, or given up.' },
    'mail.dropped': { name: 'Dropped', about: 'It was not sent: restricted, unsubscribed, no consent.' },
    'mail.opened': { name: 'Opened', about: 'A person or a program loaded its images.' },
    'mail.clicked': { name: 'Clicked', about: 'A link of it was followed.' },
    'mail.unsubscribed': { name: 'Unsubscribed', about: 'The recipient wants no more broadcasts.' },
    'mail.resubscribed': { name: 'Resubscribed', about: 'The recipient came back.' },
    'mail.complained': { name: 'Complained', about: 'The recipient reported it as spam or abuse.' },
  } satisfies Record<EventType, { name: string; about: string }>,
  es: {
    'mail.sent': { name: 'Entregado', about: 'El servidor del destinatario aceptó el correo.' },
    'mail.bounced': { name: 'Rebotado', about: 'Fue rechazado definitivamente o se desistió.' },
    'mail.dropped': {
      name: 'Descartado',
      about: 'No se envió: restringido, dado de baja, sin consentimiento.',
    },
    'mail.opened': { name: 'Abierto', about: 'Una persona o un programa cargó sus imágenes.' },
    'mail.clicked': { name: 'Clic', about: 'Se siguió uno de sus enlaces.' },
    'mail.unsubscribed': { name: 'Baja', about: 'El destinatario no quiere más difusiones.' },
    'mail.resubscribed': { name: 'Alta de nuevo', about: 'El destinatario volvió.' },
    'mail.complained': { name: 'Queja', about: 'El destinatario lo denunció como spam o abuso.' },
  },
});

export const eventTypes = Object.keys(eventWords.en) as EventType[];
