import { dictionary } from '../../shell/languages.ts';

export const words = dictionary({
  en: {
    title: 'Sign in',
    email: 'Email',
    password: 'Password',
    submit: 'Sign in',
    wrong: 'Email or password are wrong.',
    wait: (seconds: number) => `Too many attempts. Try again in ${seconds} s.`,
    wrong_with_code: 'Email, password or code are wrong.',
    code: 'Code',
    code_help: 'The six digits of your authenticator app, or a recovery code.',
    lost_app: 'No app and no codes? An operator can reset the second factor.',
    forgotten: 'Forgot your password?',
    first: 'The first start printed the owner and the password.',
  },
  es: {
    title: 'Iniciar sesión',
    email: 'Correo',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    wrong: 'El correo o la contraseña no son correctos.',
    wait: (seconds) => `Demasiados intentos. Pruebe de nuevo en ${seconds} s.`,
    wrong_with_code: 'El correo, la contraseña o el código no son correctos.',
    code: 'Código',
    code_help: 'Los seis dígitos de su aplicación de autenticación, o un código de recuperación.',
    lost_app: '¿Sin aplicación ni códigos? Un operador puede quitar el segundo paso.',
    forgotten: '¿Olvidó su contraseña?',
    first: 'El primer inicio mostró el dueño y la contraseña.',
  },
});
