import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/sandbox-send.ts';

export const messages: Translation<typeof english> = {
  send: 'Enviar un correo al sandbox',
  sent: (to) => `Un correo a ${to} está en camino.`,
  subject: 'Hola desde el panel',
  text: 'Funciona.',
};
