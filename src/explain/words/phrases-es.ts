import type { Phrases, QuotedLine } from './phrases.ts';

const events: Record<string, string> = {
  sent: 'el correo fue aceptado',
  deferred: 'postergado',
  bounced: 'rechazado en forma definitiva',
  dropped: 'No enviado',
  held: 'Puesto en espera',
  released: 'Salió de la espera',
  opened: 'Abierto',
  clicked: 'Se siguió un enlace',
  unsubscribed: 'El destinatario se dio de baja',
  resubscribed: 'El destinatario volvió a suscribirse',
  complained: 'El destinatario presentó una denuncia',
};

function line({ event, reason, attempt, remote_host, quoted }: QuotedLine): string {
  const what = `${events[event] ?? event}${reason === null ? '' : ` (${reason})`}`;
  const isAttempt = attempt !== null && ['sent', 'deferred', 'bounced'].includes(event);
  const where = isAttempt ? `Intento ${attempt}${remote_host === null ? '' : ` en ${remote_host}`}: ` : '';
  return `${where}${what}.${quoted === null ? '' : ` Respuesta: ${quoted}`}`;
}

export const phrasesEs: Phrases = {
  states: {
    waiting: 'En espera',
    delayed: 'Demorado',
    held: 'Retenido',
    dropped: 'No enviado',
    bounced: 'No entregado',
  },
  next: (at) => `El próximo intento es el ${at}.`,
  due: 'El próximo intento corresponde ahora.',
  gives_up: (at) => `Los intentos siguen hasta el ${at}.`,
  bounced: 'No se hacen más intentos.',
  restricts: 'La dirección queda restringida: los próximos correos a ella se descartan.',
  dropped: 'No se envió nada al destinatario.',
  late: (at) => `El servidor había aceptado el correo el ${at} e informó la falla después.`,
  sandbox: (recipient) => `${recipient} es un destinatario del sandbox: su nombre decide lo que ocurre.`,
  similar: ({ destination, count, same }) =>
    same > 1
      ? `Lo mismo pasa con ${same} de tus ${count} correos a ${destination} de las últimas 24 horas.`
      : `De tus ${count} correos a ${destination} de las últimas 24 horas, solo pasa con este.`,
  publish: ({ type, host, value, priority }) =>
    `Publica el registro ${type} ${host} con el valor ${priority === null ? '' : `${priority} `}${value}`,
  received: 'El correo fue aceptado.',
  line,
  validated: ({ domain, record, status, why }) =>
    `Validación de ${domain}: ${record} ${status}.${why === null ? '' : ` ${why}`}`,
  blocked: 'La persona pidió el bloqueo de sus datos y se concedió.',
  restricted: (reason) => `La dirección fue restringida (${reason}).`,
  unsubscribed: 'El destinatario se dio de baja de los envíos masivos.',
  consented: ({ verdict, term, purpose }) =>
    `El consentimiento para «${purpose}» se ${verdict === 'deny' ? 'retiró' : 'dio'} bajo el término «${term}».`,
  paused: (destination) => `La entrega a ${destination} se pausó.`,
};
