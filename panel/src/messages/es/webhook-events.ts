import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/webhook-events.ts';

export const messages: Translation<typeof english> = {
  'mail.sent': { name: 'Entregado', about: 'El servidor del destinatario aceptó el correo.' },
  'mail.deferred': {
    name: 'Diferido',
    about: 'Un intento falló por ahora; se avisa a lo más una vez por hora.',
  },
  'mail.bounced': { name: 'Rebotado', about: 'Fue rechazado definitivamente o se desistió.' },
  'mail.dropped': {
    name: 'Descartado',
    about: 'No se envió: restringido, dado de baja, sin consentimiento, cancelado.',
  },
  'mail.opened': { name: 'Abierto', about: 'Una persona o un programa cargó sus imágenes.' },
  'mail.clicked': { name: 'Clic', about: 'Se siguió uno de sus enlaces.' },
  'mail.unsubscribed': { name: 'Baja', about: 'El destinatario no quiere más difusiones.' },
  'mail.resubscribed': { name: 'Alta de nuevo', about: 'El destinatario volvió.' },
  'mail.complained': { name: 'Denuncia', about: 'El destinatario lo denunció como spam o abuso.' },
  'mail.received': { name: 'Recibido', about: 'Llegó un correo para una ruta de entrada de un dominio.' },
  'alert.raised': { name: 'Alerta nueva', about: 'Algo de la instancia necesita que alguien actúe.' },
  'alert.resolved': { name: 'Alerta terminada', about: 'Desapareció la causa de una alerta.' },
};
