import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/reset-password.ts';

export const messages: Translation<typeof english> = {
  title: 'Elige una contraseña nueva',
  about: 'Se cierra la sesión en todo navegador que usa la anterior.',
  password: 'Contraseña nueva',
  password_help: 'Al menos 12 caracteres. Varias palabras sirven.',
  submit: 'Cambiar contraseña',
  done: 'Tu contraseña cambió',
  done_about: 'Inicia sesión con ella. Si tu cuenta tiene un segundo paso, también necesitas su código.',
  over: 'Este enlace terminó',
  over_about: 'Fue usado, tiene más de una hora o no está completo. Pide uno nuevo.',
  sign_in: 'Iniciar sesión',
  again: 'Enviar otro enlace',
};
