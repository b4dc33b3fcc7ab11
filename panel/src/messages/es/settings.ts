import { counted } from './counting.ts';
import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/settings.ts';

export const messages: Translation<typeof english> = {
  title: 'Ajustes',
  general: 'General',
  name: 'Nombre',
  name_help: 'Lo que ven los miembros. Los destinatarios, nunca.',
  slug: 'Identificador',
  timezone: 'Zona horaria',
  timezone_help: 'Las fechas de las listas, los días de las estadísticas y el mes del plan son de esta zona.',
  access: 'Acceso',
  addresses: 'Direcciones permitidas',
  receiving: 'Recepción',
  reply_withdrawal: 'Respuestas que solo dicen «baja»',
  reply_withdrawal_help: 'O «unsubscribe», «stop» y similares, de la persona a la que escribiste.',
  reply_withdrawals: {
    offer: 'Ofrecer la baja a una persona',
    automatic: 'Registrarla de inmediato si DMARC demuestra el remitente',
    off: 'Ignorarlas',
  },
  second_factor: 'Exigir un segundo paso',
  second_factor_help:
    'Quien no lo tenga deberá configurar una aplicación de autenticación o una llave de acceso antes de ver algo aquí. Tú también necesitas uno. Las claves de API no cambian.',
  addresses_help:
    'Desde dónde pueden llamar los miembros y las claves de API. Vacío: desde cualquiera. La tuya debe estar incluida.',
  anywhere: 'Desde cualquiera',
  save: 'Guardar',
  saved: 'Los ajustes se guardaron.',
  plan: 'Plan',
  subscription: 'Suscripción',
  subscriptions: { active: 'Activa', inactive: 'Inactiva' },
  disabled: 'Deshabilitada por el operador',
  limit: 'Destinatarios por mes',
  no_limit: 'Sin límite',
  attachments: 'Adjuntos de un correo',
  attachments_help: (size) => `Hasta ${size}`,
  retention: 'Los correos y la actividad se guardan',
  months: (count) => counted(count, 'mes', 'meses'),
  created: 'Creada',
  by_operator: 'Los cambia un operador.',
};
