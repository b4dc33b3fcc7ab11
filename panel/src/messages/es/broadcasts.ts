import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/broadcasts.ts';

export const messages: Translation<typeof english> = {
  title: 'Difusiones',
  about:
    'Un mensaje a todos los que lo aceptaron. El consentimiento se verifica otra vez antes de cada correo.',
  search: 'Nombre',
  name: 'Nombre',
  name_help: 'Para tu equipo. Los destinatarios no lo ven.',
  state: 'Estado',
  states: {
    draft: 'Borrador',
    scheduled: 'Programada',
    sending: 'Enviando',
    paused: 'En pausa',
    sent: 'Enviada',
    cancelled: 'Cancelada',
  },
  recipients: 'Destinatarios',
  started: 'Inicio',
  created: 'Creada',
  progress: (done, all) => `${done} de ${all}`,
  add: 'Nueva difusión',
  create: 'Crear borrador',
  sender: 'Remitente',
  sender_help: 'Remitentes de difusión.',
  no_senders: 'Primero crea un remitente de difusión.',
  template: 'Plantilla',
  purpose: 'Finalidad',
  purpose_help: 'Todos los que la aceptaron por correo y no la han retirado.',
  empty: 'Aún no hay difusiones',
  empty_about:
    'Escribe a todos los que aceptaron una finalidad, mira quién queda fuera y por qué, y lee los resultados.',
};
