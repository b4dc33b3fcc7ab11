import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/webhook-events.ts';

export const messages: Translation<typeof english> = {
  'mail.sent': { name: 'Entregado', about: 'El servidor del destinatario aceptó el correo.' },
  'mail.deferred': {
    name: 'Diferido',
    about: 'Un intento falló y se repetirá. A lo más un evento por hora.',
  },
  'mail.bounced': { name: 'Rebotado', about: 'Fue rechazado definitivamente o se agotaron los intentos.' },
  'mail.dropped': {
    name: 'Descartado',
    about: 'No se envió: restringido, dado de baja, sin consentimiento, cancelado.',
  },
  'mail.opened': { name: 'Abierto', about: 'Una persona o un programa cargó sus imágenes.' },
  'mail.clicked': { name: 'Clic', about: 'Se siguió uno de sus enlaces.' },
  'mail.unsubscribed': { name: 'Baja', about: 'El destinatario no quiere más difusiones.' },
  'mail.resubscribed': { name: 'Alta de nuevo', about: 'El destinatario se suscribió otra vez.' },
  'mail.complained': { name: 'Denuncia', about: 'El destinatario lo denunció como spam o abuso.' },
  'mail.received': { name: 'Recibido', about: 'Llegó un correo para una ruta de entrada de un dominio.' },
  'alert.raised': { name: 'Alerta nueva', about: 'Algo en la instancia requiere atención.' },
  'alert.resolved': { name: 'Alerta terminada', about: 'Desapareció la causa de una alerta.' },
  'broadcast.finished': {
    name: 'Difusión terminada',
    about: 'Se entregó al último destinatario, o se canceló.',
  },
  'form.submitted': {
    name: 'Formulario respondido',
    about: 'Una persona respondió un formulario; puede faltar que confirme.',
  },
  'form.confirmed': { name: 'Formulario confirmado', about: 'La persona confirmó su respuesta por correo.' },
  'consent.granted': { name: 'Consentimiento otorgado', about: 'Un consentimiento entró en vigor.' },
  'consent.withdrawn': {
    name: 'Consentimiento retirado',
    about: 'Por un formulario, un enlace de baja, una solicitud de derechos o tu programa.',
  },
  'rights.requested': {
    name: 'Solicitud de derechos',
    about: 'Hay una solicitud abierta: corre el plazo para responder.',
  },
};
