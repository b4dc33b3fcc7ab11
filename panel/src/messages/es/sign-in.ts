import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/sign-in.ts';

export const messages: Translation<typeof english> = {
  title: 'Iniciar sesión',
  email: 'Correo',
  password: 'Contraseña',
  submit: 'Iniciar sesión',
  wrong: 'El correo o la contraseña no son correctos.',
  wait: (seconds) => `Demasiados intentos. Prueba de nuevo en ${seconds} s.`,
  wrong_with_code: 'El correo, la contraseña o el código no son correctos.',
  code: 'Código',
  code_help: 'Los seis dígitos de tu aplicación de autenticación, o un código de recuperación.',
  lost_app: '¿Sin aplicación ni códigos? Un operador puede quitar el segundo paso.',
  forgotten: '¿Olvidaste tu contraseña?',
  first: 'El primer inicio mostró el dueño y la contraseña.',
};
