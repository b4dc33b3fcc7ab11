import type { Language } from '../../base/http/preferred-language.ts';

export interface FormTexts {
  send: string;
  /** In place of it where what was told is changed. */
  save: string;
  optional: string;
  choose: string;
  yes: string;
  no: string;
  document: string;
  wrong: string;
  unasked: string;
  /** By violation code. */
  errors: Record<string, string>;
  sent: { title: string; text: string };
  check_mail: { title: string; text: string };
  /** Before a form of type update: it goes on in the mailbox. */
  ask: { text: string; button: string; other: string };
  link_sent: { title: string; text: string };
  updated: { title: string; text: string };
  link_over: { title: string; text: string; again: string };
  closed: { title: string; text: string };
  busy: { title: string; text: string };
  failed: { title: string; text: string };
  confirm: { title: string; text: (form: string) => string; button: string };
  confirmed: { title: string; text: string };
  expired: { title: string; text: string };
  /** Name and version of what is agreed to. */
  term: (name: string, version: string) => string;
  /** Beside the box to tick, where the form has no words of its own. */
  agree: (name: string) => string;
  /** Names of system fields that were not renamed, by their keys. */
  fields: Record<string, string>;
  mail: {
    subject: (form: string) => string;
    heading: string;
    text: (form: string) => string;
    agrees: string;
    /** After the beginning of a long text. */
    rest: string;
    otherwise: string;
    ignore: string;
  };
  update_mail: {
    subject: (form: string) => string;
    heading: string;
    text: (form: string, hours: number) => string;
    button: string;
    ignore: string;
  };
  reply: { subject: (form: string) => string; heading: string; text: string; why: (form: string) => string };
}

const english: FormTexts = {
  send: 'Send',
  save: 'Save',
  optional: 'Optional',
  choose: 'Choose…',
  yes: 'Yes',
  no: 'No',
  document: 'Document',
  wrong: 'Something is missing or not right. Please check the marked fields.',
  unasked:
    'The form does not ask for something that was sent. It may have changed: reload the page and fill it in again.',
  errors: {
    missing: 'Please fill this in.',
    consent: 'This cannot be sent without your agreement.',
    'value_error.email': 'This is not an email address.',
    'value_error.phone': 'This is not a phone number.',
    'value_error.url': 'This is not a web address. It begins with https://',
    'value_error.contact': 'Please tell us how to reach you for this.',
    'value_error.version': 'This text has changed meanwhile. Please read it again.',
    string_too_long: 'This is too long.',
    string_too_short: 'This is too short.',
    float_parsing: 'This is not a number.',
    date_parsing: 'This is not a date.',
    greater_than_equal: 'This is less than allowed.',
    less_than_equal: 'This is more than allowed.',
    other: 'This is not right.',
  },
  sent: { title: 'Thank you', text: 'We have received what you sent.' },
  check_mail: {
    title: 'One step left',
    text: 'We sent you a mail. Open it and confirm that it was you. Your answers count only after that.',
  },
  ask: {
    text: 'We send you a link by mail. It opens this form with your earlier answers, so that only you can see and change them.',
    button: 'Mail me the link',
    other: 'Not registered yet?',
  },
  link_sent: {
    title: 'Check your mailbox',
    text: 'If we know this address, a mail with a link is on its way. The link works once, within 24 hours.',
  },
  updated: { title: 'Saved', text: 'Thank you. Your changes are saved.' },
  link_over: {
    title: 'This link no longer works',
    text: 'It was used, is older than 24 hours, or is incomplete. You can request another one.',
    again: 'Request another link',
  },
  closed: { title: 'This form is not available', text: 'It may be closed, or the link may be incomplete.' },
  busy: { title: 'Too many requests', text: 'Please wait a minute and try again.' },
  failed: {
    title: 'We could not write to you',
    text: 'The confirmation mail could not be sent. Please try again later.',
  },
  confirm: {
    title: 'Was it you?',
    text: (form) => `“${form}” was filled in with your address. If it was you, confirm it.`,
    button: 'Yes, confirm',
  },
  confirmed: { title: 'Confirmed', text: 'Thank you. There is nothing more to do.' },
  expired: {
    title: 'This link has expired',
    text: 'It is older than seven days, or it is incomplete. You can fill in the form again.',
  },
  term: (name, version) => `${name} · version ${version}`,
  agree: (name) => `I agree to “${name}”`,
  fields: {
    EMAIL: 'Email',
    PHONE: 'Phone',
    FIRST_NAME: 'First name',
    LAST_NAME: 'Last name',
    UNIQUECODE: 'Unique code',
    ADDRESS: 'Address',
  },
  mail: {
    subject: (form) => `Please confirm: ${form}`,
    heading: 'Was it you?',
    text: (form) => `“${form}” was filled in with this address. If it was you, confirm it within seven days.`,
    agrees: 'By sending the form you agree to this:',
    rest: 'The full text is on the page that the button opens.',
    otherwise: 'If the button does not work, open this address:',
    ignore: 'If it was not you, ignore this mail. Nothing happens without your confirmation.',
  },
  update_mail: {
    subject: (form) => `Your link: ${form}`,
    heading: 'Change what you told us',
    text: (form, hours) =>
      `This link to “${form}” was requested for this address. It opens the form with your earlier answers. It works once, within ${hours} hours.`,
    button: 'Open the form',
    ignore: 'If it was not you, do nothing, and do not forward this mail: the link shows your data.',
  },
  reply: {
    subject: (form) => `Thank you: ${form}`,
    heading: 'Thank you',
    text: 'We have received what you sent.',
    why: (form) => `You get this because “${form}” was filled in with this address.`,
  },
};

const spanish: FormTexts = {
  send: 'Enviar',
  save: 'Guardar',
  optional: 'Opcional',
  choose: 'Elige…',
  yes: 'Sí',
  no: 'No',
  document: 'Documento',
  wrong: 'Falta algo o hay algo que no está bien. Revisa lo que está marcado, por favor.',
  unasked: 'Se envió algo que este formulario no pide; puede haber cambiado desde que lo abriste.',
  errors: {
    missing: 'Completa este dato, por favor.',
    consent: 'Sin tu acuerdo no se puede enviar.',
    'value_error.email': 'No es una dirección de correo.',
    'value_error.phone': 'No es un número de teléfono.',
    'value_error.url': 'No es una dirección web. Comienza con https://',
    'value_error.contact': 'Dinos cómo podemos contactarte para esto, por favor.',
    'value_error.version': 'Este texto cambió mientras tanto. Vuelve a leerlo, por favor.',
    string_too_long: 'Es demasiado largo.',
    string_too_short: 'Es demasiado corto.',
    float_parsing: 'No es un número.',
    date_parsing: 'No es una fecha.',
    greater_than_equal: 'Es menos de lo permitido.',
    less_than_equal: 'Es más de lo permitido.',
    other: 'Esto no está bien.',
  },
  sent: { title: 'Gracias', text: 'Recibimos lo que enviaste.' },
  check_mail: {
    title: 'Falta un paso',
    text: 'Te escribimos. Abre el correo y confirma que fuiste tú; hasta entonces nada cuenta.',
  },
  ask: {
    text: 'Te enviamos un enlace por correo. Abre este formulario con los datos que nos diste, así nadie más puede verlos ni cambiarlos.',
    button: 'Enviarme el enlace',
    other: '¿Todavía no te registras?',
  },
  link_sent: {
    title: 'Revisa tu correo',
    text: 'Si conocemos esta dirección, te llegará un correo con un enlace. Sirve por 24 horas y una sola vez.',
  },
  updated: { title: 'Guardado', text: 'Gracias. Tus cambios valen desde ahora.' },
  link_over: {
    title: 'Este enlace ya no sirve',
    text: 'Servía por 24 horas, o está incompleto. Puedes pedir otro.',
    again: 'Pedir otro enlace',
  },
  closed: {
    title: 'Este formulario no está',
    text: 'Puede estar cerrado, o el enlace puede estar incompleto.',
  },
  busy: { title: 'Demasiado a la vez', text: 'Espera un minuto y vuelve a intentarlo, por favor.' },
  failed: {
    title: 'No pudimos escribirte',
    text: 'El correo para confirmar no se pudo enviar. Vuelve a intentarlo más tarde, por favor.',
  },
  confirm: {
    title: '¿Fuiste tú?',
    text: (form) => `Alguien llenó «${form}» con tu dirección. Si fuiste tú, confírmalo.`,
    button: 'Sí, confirmar',
  },
  confirmed: { title: 'Confirmado', text: 'Gracias. No hay nada más que hacer.' },
  expired: {
    title: 'Este enlace ya no sirve',
    text: 'Servía por siete días, o está incompleto. Puedes volver a llenar el formulario.',
  },
  term: (name, version) => `${name} · versión ${version}`,
  agree: (name) => `Acepto «${name}»`,
  fields: {
    EMAIL: 'Correo electrónico',
    PHONE: 'Teléfono',
    FIRST_NAME: 'Nombre',
    LAST_NAME: 'Apellido',
    UNIQUECODE: 'Código único',
    ADDRESS: 'Dirección',
  },
  mail: {
    subject: (form) => `Confirma, por favor: ${form}`,
    heading: '¿Fuiste tú?',
    text: (form) =>
      `Alguien llenó «${form}» con esta dirección. Si fuiste tú, confírmalo dentro de siete días.`,
    agrees: 'Con ello aceptas esto:',
    rest: 'La página detrás del botón tiene el texto completo.',
    otherwise: 'Si el botón no funciona, abre esta dirección:',
    ignore: 'Si no fuiste tú, no hagas nada: sin tu confirmación nada cuenta.',
  },
  update_mail: {
    subject: (form) => `Tu enlace: ${form}`,
    heading: 'Cambia tus datos',
    text: (form, hours) =>
      `Alguien pidió este enlace a «${form}». Abre el formulario con los datos que nos diste y sirve por ${hours} horas, una sola vez.`,
    button: 'Abrir el formulario',
    ignore: 'Si no fuiste tú, no hagas nada ni reenvíes este correo: el enlace muestra tus datos.',
  },
  reply: {
    subject: (form) => `Gracias: ${form}`,
    heading: 'Gracias',
    text: 'Recibimos lo que enviaste.',
    why: (form) => `Recibes esto porque se llenó «${form}» con esta dirección.`,
  },
};

export const formTexts: Record<Language, FormTexts> = { en: english, es: spanish };
