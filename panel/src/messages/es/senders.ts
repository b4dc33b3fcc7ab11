import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/senders.ts';

export const messages: Translation<typeof english> = {
  title: 'Remitentes',
  about: 'Las direcciones desde las que sale tu correo. Cada una pertenece a uno de tus dominios.',
  add: 'Agregar remitente',
  edit: 'Editar remitente',
  address: 'Dirección',
  address_help: 'De uno de tus dominios.',
  name: 'Nombre',
  name_help: 'Lo que los destinatarios ven antes de la dirección.',
  stream: 'Flujo',
  streams: { transactional: 'Transaccional', broadcast: 'Difusión' },
  stream_help: {
    transactional: 'Correo que responde a algo que hizo la persona, como recibos o cambios de contraseña.',
    broadcast:
      'Correo a muchas personas a la vez. Lleva un encabezado de baja, y no se envía a quienes se dieron de baja.',
  },
  consent: 'Consentimiento',
  requires_consent: 'Exigir consentimiento',
  purpose: 'Para esta finalidad',
  no_consent: 'No se exige',
  tracking: 'Seguimiento',
  opens: 'Aperturas',
  clicks: 'Clics',
  track_opens: 'Contar aperturas',
  track_clicks: 'Contar clics en enlaces',
  none: 'Apagado',
  created: 'Creado',
  saved: 'El remitente se guardó.',
  added: 'El remitente se agregó.',
  remove: 'Eliminar remitente',
  remove_about: (address) =>
    `${address} ya no podrá enviar. Lo enviado conserva su registro. El correo en cola se envía igual.`,
  removed: 'El remitente se eliminó.',
  search: 'Dirección',
  search_name: 'Nombre',
  empty: 'Aún no hay remitentes',
  empty_about:
    'Un remitente es una dirección de un dominio verificado. Agrega primero un dominio; el correo desde otra dirección se rechaza.',
  to_domains: 'Ir a dominios',
};
