import type { Language } from '../../base/http/preferred-language.ts';
import type { RequestKind } from '../request-schemas.ts';

interface Message {
  title: string;
  text: string;
}

export interface RightsTexts {
  title: (instance: string) => string;
  intro: (instance: string) => string;
  what: string;
  kinds: Record<RequestKind, string>;
  /** Before the name of the form for it. */
  update: string;
  email: string;
  email_hint: string;
  detail: string;
  detail_hint: string;
  send: string;
  wrong: string;
  check_mail: Message;
  busy: Message;
  unknown: Message;
  expired: Message;
  confirm: { title: string; text: (kind: string, instance: string) => string; button: string };
  confirmed: { title: string; text: (due: string) => string };
  mail: {
    subject: (instance: string) => string;
    text: (kind: string, instance: string) => string;
    ignore: string;
  };
}

const english: RightsTexts = {
  title: (instance) => `Your data at ${instance}`,
  intro: (instance) =>
    `Ask ${instance} about the data it holds on you. You will get a mail to confirm your address, and an answer within 30 days.`,
  what: 'What is your request?',
  kinds: {
    access: 'To see my data',
    portability: 'To take my data with me, as a file',
    rectification: 'To correct my data',
    erasure: 'To erase my data',
    opposition: 'That my data is not used for certain purposes',
    blocking: 'To block my data: nothing is sent to me',
  },
  update: 'You can correct what you filled in yourself:',
  email: 'Your email address',
  email_hint: 'The address at which you receive mail.',
  detail: 'Anything else?',
  detail_hint: 'What to correct, or which purposes you object to. You can leave it empty.',
  send: 'Send the request',
  wrong: 'Please choose a request and enter your email address.',
  check_mail: {
    title: 'Check your mailbox',
    text: 'We sent you a mail. Open the link in it to confirm your request.',
  },
  busy: { title: 'Not right now', text: 'There were too many requests. Please try again in an hour.' },
  unknown: {
    title: 'Page not found',
    text: 'The address of this page is incomplete or wrong.',
  },
  expired: {
    title: 'This link is no longer valid',
    text: 'Links are valid for seven days. Please send your request again.',
  },
  confirm: {
    title: 'Confirm your request',
    text: (kind, instance) => `You ask ${instance}: “${kind}”. Confirm that this is you.`,
    button: 'Yes, this is my request',
  },
  confirmed: {
    title: 'Request received',
    text: (due) => `You will get an answer by ${due} at the latest.`,
  },
  mail: {
    subject: (instance) => `Confirm your request to “${instance}”`,
    text: (kind, instance) =>
      `“${instance}” received this request in your name: “${kind}”. If you made it, confirm it within seven days:`,
    ignore: 'If it was not you, ignore this mail. Nothing will happen.',
  },
};

const spanish: RightsTexts = {
  title: (instance) => `Tus datos en ${instance}`,
  intro: (instance) =>
    `Pregunta a ${instance} qué datos tiene sobre ti. Recibirás un correo para confirmar que la dirección es tuya, y una respuesta dentro de 30 días.`,
  what: '¿Qué solicitas?',
  kinds: {
    access: 'Ver mis datos (acceso)',
    portability: 'Llevarme mis datos en un archivo (portabilidad)',
    rectification: 'Corregir mis datos (rectificación)',
    erasure: 'Borrar mis datos (supresión)',
    opposition: 'Que no usen mis datos para ciertos fines (oposición)',
    blocking: 'Bloquear mis datos: que no me envíen nada (bloqueo)',
  },
  update: 'Lo que llenaste en formularios puedes corregirlo directamente:',
  email: 'Tu correo electrónico',
  email_hint: 'La dirección en la que te escriben.',
  detail: '¿Algo más?',
  detail_hint: 'Qué corregir, o a qué fines te opones. Puedes dejarlo vacío.',
  send: 'Enviar la solicitud',
  wrong: 'Indica qué solicitas y tu correo electrónico.',
  check_mail: {
    title: 'Revisa tu correo',
    text: 'Te enviamos un correo. Abre el enlace que contiene para confirmar tu solicitud.',
  },
  busy: { title: 'Ahora no', text: 'Hubo demasiadas solicitudes. Inténtalo de nuevo en una hora.' },
  unknown: {
    title: 'Aquí no hay nada',
    text: 'La dirección de esta página no está completa o no es correcta.',
  },
  expired: {
    title: 'Este enlace ya no es válido',
    text: 'Los enlaces valen siete días. Vuelve a hacer tu solicitud.',
  },
  confirm: {
    title: 'Confirma tu solicitud',
    text: (kind, instance) => `Solicitas a ${instance}: «${kind}». Confirma que eres tú.`,
    button: 'Sí, es mi solicitud',
  },
  confirmed: {
    title: 'Tu solicitud está ingresada',
    text: (due) => `Recibirás una respuesta a más tardar el ${due}.`,
  },
  mail: {
    subject: (instance) => `Confirma tu solicitud a «${instance}»`,
    text: (kind, instance) =>
      `Alguien hizo esta solicitud a «${instance}» en tu nombre: «${kind}». Si fuiste tú, confírmala dentro de siete días:`,
    ignore: 'Si no fuiste tú, ignora este correo: no pasa nada.',
  },
};

export const rightsTexts: Record<Language, RightsTexts> = { en: english, es: spanish };
