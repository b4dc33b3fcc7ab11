import { escapeHtml } from '../base/http/html.ts';
import type { PlatformMail } from '../base/platform-mail.ts';

interface InvitationMail {
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
  // A name that looks like a message could be used to send spam.
  const instance = invitation.instance
    .replaceAll(/[\p{Cc}<>]|https?:|www\./giu, ' ')
    .slice(0, 80)
    .trim();
  const paragraphs = [
    `Le invitan a ser parte de «${instance}» en Chasqui. Para aceptar, abra este enlace dentro de siete días:`,
    link,
    `You are invited to join “${instance}” on Chasqui. To accept, open this link within seven days:`,
    link,
    'Si no esperaba este mensaje, ignórelo. If you did not expect this message, ignore it.',
  ];
  const html = paragraphs.map((text) =>
    text === link
      ? `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`
      : `<p>${escapeHtml(text)}</p>`,
  );
  return {
    to,
    subject: `Invitación a ${instance} / Invitation to ${instance}`,
    text: `${paragraphs.join('\n\n')}\n`,
    html: html.join('\n'),
  };
}
