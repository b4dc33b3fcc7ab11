import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/form-submissions.ts';

export const messages: Translation<typeof english> = {
  title: 'Envíos',
  one: 'Envío',
  number: (id) => `Envío ${id}`,
  status: 'Estado',
  statuses: { pending: 'Pendiente', confirmed: 'Confirmado', expired: 'Vencido' },
  status_about: {
    pending: 'Cuenta cuando la persona confirme desde su buzón.',
    confirmed: 'Cuenta.',
    expired: 'Nadie lo confirmó dentro de siete días. No cuenta.',
  },
  returns: 'Vuelve',
  returns_about:
    'Los datos de esta persona se suprimieron y ella pide volver. Cuenta cuando confirme desde su buzón. Si nadie confirma dentro de siete días, todo se suprime.',
  returns_consents: 'Lo que aceptó se registra cuando confirme.',
  sent: 'Enviado',
  confirmed: 'Confirmado',
  from: 'Desde la dirección',
  agent: 'Navegador',
  answers: 'Respuestas',
  no_answer: '—',
  yes: 'Sí',
  no: 'No',
  consents: 'Aceptó',
  no_consents: 'No se aceptó nada.',
  agreed: (name, version) => `${name} · versión ${version}`,
  evidence: 'Evidencia de esta persona',
  resend: 'Enviar la confirmación otra vez',
  resent: 'La confirmación va en camino.',
  empty: 'Aún no se envió nada',
  empty_about:
    'Aquí está lo que las personas envían con este formulario, con sus consentimientos. Primero compártalo.',
  share: 'Compartir e insertar',
};
