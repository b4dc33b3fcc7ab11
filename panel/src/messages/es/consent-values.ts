import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/consent-values.ts';

export const messages: Translation<typeof english> = {
  channels: { mail: 'Correo', sms: 'SMS', wsp: 'WhatsApp', call: 'Llamada', push: 'Push' },
  contact_types: {
    email_address: 'Dirección de correo',
    phone_number: 'Teléfono',
    uniquecode: 'Código único',
  },
  actions: { allow: 'Permite', deny: 'Retira' },
  verdicts: { allow: 'Permitido', deny: 'Rechazado', none: 'Nada rige' },
  statuses: { confirmed: 'Confirmado', pending: 'Sin confirmar', expired: 'Expirado' },
  methods: { single_opt_in: 'Opt-in simple', double_opt_in: 'Doble opt-in' },
  sources: { form: 'Formulario', api: 'API', import: 'Importado o a mano', system: 'Enlace de un correo' },
  types: {
    data_processing: 'Tratamiento de datos',
    service_terms: 'Términos de servicio',
    marketing: 'Marketing',
    subscription: 'Suscripción',
    other: 'Otro',
  },
  problems: {
    missing: 'falta una fila',
    inserted: 'una fila fue agregada',
    unlinked: 'una fila no sigue a la anterior',
    altered: 'una fila fue alterada',
    text_altered: 'el texto de una versión fue alterado',
  },
};
