import { dictionary } from '../../shell/languages.ts';

export const words = dictionary({
  en: {
    title: 'Forgot your password?',
    about: 'We send a link to choose a new one. It holds for an hour and for one use.',
    email: 'Email',
    submit: 'Send link',
    sent: 'Look into your mailbox',
    sent_about: (email: string) =>
      `If ${email} has an account, a link is on its way. One is sent each half hour at most; look among the spam too.`,
    sign_in: 'Back to sign-in',
  },
  es: {
    title: '¿Olvidó su contraseña?',
    about: 'Enviamos un enlace para elegir una nueva. Vale una hora y una sola vez.',
    email: 'Correo',
    submit: 'Enviar enlace',
    sent: 'Revise su correo',
    sent_about: (email) =>
      `Si ${email} tiene una cuenta, un enlace está en camino. Se envía a lo más uno cada media hora; mire también entre el spam.`,
    sign_in: 'Volver a iniciar sesión',
  },
});
