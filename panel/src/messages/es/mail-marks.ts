import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/mail-marks.ts';

export const messages: Translation<typeof english> = {
  sandbox: 'Sandbox',
  test: 'Enviado en modo de prueba',
};
