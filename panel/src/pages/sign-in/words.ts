import { dictionary } from '../../shell/languages.ts';

export const words = dictionary({
  en: {
    title: 'Sign in',
    email: 'Email',
    password: 'Password',
    submit: 'Sign in',
    wrong: 'Email or password are wrong.',
    wait: (seconds: number) => `Too many attempts. Try again in ${seconds} s.`,
    first: 'The first start printed the owner and the password.',
  },
  es: {
    title: 'Iniciar sesión',
    email: 'Correo',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    wrong: 'El correo o la contraseña no son correctos.',
    wait: (seconds) => `Demasiados intentos. Pruebe de nuevo en ${seconds} s.`,
    first: 'El primer inicio mostró el dueño y la contraseña.',
  },
});
