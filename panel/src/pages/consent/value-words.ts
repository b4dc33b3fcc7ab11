import { dictionary } from '../../shell/languages.ts';

/** What the values of consents are called, on every page that shows them. */
export const valueWords = dictionary({
  en: {
    channels: { mail: 'Email', sms: 'SMS', wsp: 'WhatsApp', call: 'Call', push: 'Push' },
    contact_types: {
      email_address: 'Email address',
      phone_number: 'Phone number',
      uniquecode: 'Unique code',
    },
    actions: { allow: 'Allows', deny: 'Withdraws' },
    verdicts: { allow: 'Allowed', deny: 'Refused', none: 'Nothing holds' },
    statuses: { confirmed: 'Confirmed', pending: 'Unconfirmed', expired: 'Expired' },
    methods: { single_opt_in: 'Single opt-in', double_opt_in: 'Double opt-in' },
    sources: { form: 'Form', api: 'API', import: 'By hand', system: 'Link in a mail' },
    types: {
      data_processing: 'Data processing',
      service_terms: 'Terms of service',
      marketing: 'Marketing',
      subscription: 'Subscription',
      other: 'Other',
    },
    problems: {
      missing: 'a row was taken out',
      inserted: 'a row was put in',
      unlinked: 'a row does not follow the one before it',
      altered: 'a row was altered',
      text_altered: 'the text of a version was altered',
    },
  },
  es: {
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
    sources: { form: 'Formulario', api: 'API', import: 'A mano', system: 'Enlace de un correo' },
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
  },
});
