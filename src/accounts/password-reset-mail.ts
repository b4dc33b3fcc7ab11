import { linkMail, type PlatformMail } from '../base/platform-mail.ts';

/** In Spanish and in English, like all that the platform writes. */
export function passwordResetMail({
  to,
  token,
  base_url,
}: {
  to: string;
  token: string;
  base_url: string;
}): PlatformMail {
  // A fragment is not sent to any server and stands in no log.
  const link = `${base_url}/panel/reset-password#${token}`;
  const paragraphs = [
    'Para elegir una contraseña nueva en Chasqui, abra este enlace dentro de una hora:',
    link,
    'To choose a new password for Chasqui, open this link within an hour:',
    link,
    'Si no lo pidió, ignore este mensaje: su contraseña sigue igual. If you did not ask for it, ignore this message: your password stays as it is.',
  ];
  return linkMail({
    kind: 'password-reset',
    written_for: null,
    to,
    subject: 'Contraseña nueva de Chasqui / New password for Chasqui',
    link,
    paragraphs,
  });
}
