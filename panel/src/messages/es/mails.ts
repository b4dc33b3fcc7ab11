import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/mails.ts';

export const messages: Translation<typeof english> = {
  title: 'Correos',
  about: 'Una fila por destinatario, los más nuevos primero.',
  recipient: 'Destinatario',
  recipient_hint: 'Dirección completa, o su comienzo',
  subject: 'Asunto',
  subject_hint: 'Parte del asunto',
  sender: 'Remitente',
  category: 'Categoría',
  status: 'Estado',
  opens: 'Aperturas',
  clicks: 'Clics',
  received: 'Recibido',
  range: 'Rango',
  opened: 'Abierto',
  opened_options: { opened: 'Abierto', unopened: 'Entregado, sin abrir' },
  msg_id: 'Id del mensaje',
  mail_id: 'Id del correo',
  custom_msg_id: 'Su id',
  custom_group_code: 'Su grupo',
  tags: 'Etiquetas',
  live: 'En vivo',
  live_states: {
    off: 'El seguimiento en vivo está apagado',
    connecting: 'Conectando…',
    live: 'Los correos nuevos aparecen solos',
  },
  empty: 'Aún no hay correos',
  empty_about:
    'Cada correo que envíe aparece aquí con todo lo que le pasó. Envíe uno al sandbox: recorre todo el camino pero nunca sale de este servidor.',
};
