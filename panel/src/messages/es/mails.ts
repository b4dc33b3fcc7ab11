import { counted } from './counting.ts';
import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/mails.ts';

export const messages: Translation<typeof english> = {
  title: 'Correos',
  about: 'Una fila por destinatario, los más nuevos primero.',
  recipient: 'Destinatario',
  recipient_hint: 'Dirección o su comienzo',
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
  custom_msg_id: 'Tu id',
  custom_group_code: 'Tu grupo',
  tags: 'Etiquetas',
  live: 'En vivo',
  live_states: {
    off: 'El seguimiento en vivo está desactivado',
    connecting: 'Conectando…',
    live: 'Los correos nuevos aparecen solos',
  },
  empty: 'Aún no hay correos',
  empty_about:
    'Cada correo que envíes aparece aquí con todo lo que le pasó. Envía uno al sandbox: se procesa como cualquier otro, pero nunca sale de este servidor.',
  bulk_retry: 'Reintentar ahora',
  bulk_retry_about: (count) =>
    `Se reintenta de inmediato ${counted(count, 'correo', 'correos')} en espera, sin aguardar el próximo intento previsto.`,
  bulk_cancel: 'Cancelar',
  bulk_cancel_about: (count) =>
    `Lo que aún no se intentó de ${counted(count, 'mensaje', 'mensajes')} se descarta y no se envía nunca, a ningún destinatario.`,
  bulk_restrict: 'Restringir destinatarios',
  bulk_restrict_about: (count) =>
    `Esta instancia no envía más correo a ${counted(count, 'dirección', 'direcciones')} hasta que se levante cada restricción.`,
};
