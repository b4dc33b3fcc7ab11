import { linkMail, nameInMail, type PlatformMail } from '../base/platform-mail.ts';

interface InvitationMail {
  instance_id: number;
  to: string;
  instance: string;
  token: string;
  base_url: string;
}

/** In Spanish and English: the language of the recipient is unknown. */
export function invitationMail(invitation: InvitationMail): PlatformMail {
  const { to, token, base_url } = invitation;
  // A fragment is not sent to any server and appears in no log.
  const link = `${base_url}/panel/accept-invitation#${token}`;
  const instance = nameInMail(invitation.instance);
  const paragraphs = [
    `Te invitan a ser parte de «${instance}» en Chasqui. Para aceptar, abre este enlace dentro de siete días:`,
    link,
    `You are invited to join “${instance}” on Chasqui. To accept, open this link within seven days:`,
    link,
    'Si no esperabas este mensaje, ignóralo. If you did not expect this message, ignore it.',
  ];
  return linkMail({
    kind: 'invitation',
    written_for: invitation.instance_id,
    to,
    subject: `Invitación a «${instance}» / Invitation to “${instance}”`,
    link,
    paragraphs,
  });
}
