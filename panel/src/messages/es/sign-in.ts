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
  first: '¿Instalación nueva? Usa el correo y la contraseña que mostró el primer inicio.',
  or: 'o',
  by_passkey: 'Entrar con una llave de acceso',
  passkey_instead: 'Usar una llave de acceso en vez del código',
  wrong_passkey: 'Esta llave de acceso no se conoce aquí, o la respuesta llegó tarde. Inténtalo de nuevo.',
  by: (name) => `Continuar con ${name}`,
  not_signed_in: 'No has iniciado sesión',
  back_to_sign_in: 'Volver al inicio de sesión',
  link_title: 'Vincula tu cuenta',
  link_about:
    'Ya existe una cuenta con este correo. Escribe su contraseña una vez y después podrás entrar por esta vía.',
  wrong_password: 'La contraseña no es correcta.',
  wrong_code: 'El código no es correcto.',
  refusals: {
    single_sign_on_disabled:
      'El inicio de sesión con un proveedor está desactivado. Usa tu correo y tu contraseña.',
    single_sign_on_failed: 'El inicio de sesión falló o tardó demasiado. Inténtalo de nuevo.',
    single_sign_on_unavailable:
      'No se puede contactar al proveedor en este momento. Inténtalo más tarde, o usa tu correo y tu contraseña.',
    single_sign_on_email_unverified:
      'El proveedor no confirma tu correo. Confírmalo allí e inténtalo de nuevo.',
    single_sign_on_no_account:
      'No encontramos una cuenta con tu correo. Pide a un dueño de la instancia que te invite.',
  },
};
