import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/forgotten-password.ts';

export const messages: Translation<typeof english> = {
  title: '¿Olvidaste tu contraseña?',
  about: 'Enviamos un enlace para elegir una nueva. Vale una hora y una sola vez.',
  email: 'Correo',
  submit: 'Enviar enlace',
  sent: 'Revisa tu correo',
  sent_about: (email) =>
    `Si ${email} tiene una cuenta, un enlace está en camino. Se envía a lo más uno cada media hora; mira también entre el spam.`,
  sign_in: 'Volver a iniciar sesión',
};
