import { dictionary } from '../../shell/languages.ts';

export const words = dictionary({
  en: {
    title: 'Choose a new password',
    about: 'Every browser that is signed in with the old one is signed out.',
    password: 'New password',
    password_help: 'At least 12 characters. Several words are good.',
    submit: 'Change password',
    done: 'Your password is changed',
    done_about: 'Sign in with it. If your account has a second factor, you need its code too.',
    over: 'This link is over',
    over_about: 'It was used, is older than an hour, or is not complete. Ask for a new one.',
    sign_in: 'Sign in',
    again: 'Send another link',
  },
  es: {
    title: 'Elija una contraseña nueva',
    about: 'Se cierra la sesión en todo navegador que usa la anterior.',
    password: 'Contraseña nueva',
    password_help: 'Al menos 12 caracteres. Varias palabras sirven.',
    submit: 'Cambiar contraseña',
    done: 'Su contraseña cambió',
    done_about: 'Inicie sesión con ella. Si su cuenta tiene un segundo paso, también necesita su código.',
    over: 'Este enlace terminó',
    over_about: 'Fue usado, tiene más de una hora o no está completo. Pida uno nuevo.',
    sign_in: 'Iniciar sesión',
    again: 'Enviar otro enlace',
  },
});
