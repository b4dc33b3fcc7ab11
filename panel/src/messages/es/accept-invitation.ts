import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/accept-invitation.ts';

export const messages: Translation<typeof english> = {
  title: 'Aceptar la invitación',
  invited: (instance, role) => `Te invitaron a «${instance}» como ${role}.`,
  roles: { owner: 'dueño', admin: 'administrador', developer: 'desarrollador', viewer: 'lector' },
  account: 'Tu cuenta',
  name: 'Tu nombre',
  password: 'Elige una contraseña',
  password_help: 'Al menos 12 caracteres. Varias palabras sirven.',
  has_account: 'Ya tienes una cuenta: acepta y luego inicia sesión con tu contraseña.',
  accept: 'Aceptar',
  missing: 'Este enlace no está completo',
  missing_help: 'Ábrelo de nuevo desde el correo. El enlace vale siete días y una sola vez.',
  over: 'Esta invitación terminó',
  over_help: 'Fue usada, retirada o tiene más de siete días. Pide una nueva.',
  done: 'Ya eres miembro. Inicia sesión para comenzar.',
  sign_in: 'Iniciar sesión',
};
