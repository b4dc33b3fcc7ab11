import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/template-test.ts';

export const messages: Translation<typeof english> = {
  title: 'Enviar una prueba',
  about: 'La plantilla guardada, con tus valores de muestra. Se marca como prueba.',
  about_unsaved:
    'Lo que ves, también los cambios sin guardar, con tus valores de muestra. Se marca como prueba.',
  to: 'Para',
  sandbox: 'El sandbox',
  sandbox_help: 'Se procesa como cualquier otro y nunca sale de este servidor.',
  self: 'Tú',
  self_at: (email) => `Tú, en ${email}`,
  self_help: 'Desde un remitente de uno de tus dominios.',
  members: 'Colegas',
  members_help: 'Integrantes de esta instancia, diez como máximo.',
  choose_members: 'Elige colegas',
  no_sender: 'Necesitas un remitente en uno de tus dominios verificados.',
  sender: 'De',
  send: 'Enviar',
  again: 'Enviar otra vez',
  sent: (to) => `La prueba a ${to} está en camino.`,
  to_sandbox: 'Abrir la bandeja sandbox',
  to_mail: 'Seguir el correo',
};
