import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/template-test.ts';

export const messages: Translation<typeof english> = {
  title: 'Enviar una prueba',
  about: 'La plantilla guardada, con sus valores de muestra. Se marca como prueba.',
  about_unsaved:
    'Lo que ves, también los cambios sin guardar, con sus valores de muestra. Se marca como prueba.',
  to: 'Para',
  sandbox: 'El sandbox',
  sandbox_help: 'Recorre todo el camino y nunca sale del servicio.',
  self: 'Tú',
  self_at: (email) => `Tú, en ${email}`,
  self_help: 'Desde un remitente de uno de tus dominios.',
  no_sender: 'Necesita un remitente en un dominio suyo verificado.',
  sender: 'De',
  send: 'Enviar',
  again: 'Enviar otra vez',
  sent: (to) => `La prueba a ${to} está en camino.`,
  to_sandbox: 'Abrir la bandeja sandbox',
  to_mail: 'Seguir el correo',
};
