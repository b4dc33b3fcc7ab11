import { linkMail, nameInMail, type PlatformMail } from '../../base/platform-mail.ts';

interface ForwardAddressMail {
  instance_id: number;
  instance: string;
  to: string;
  link: string;
}

/** In Spanish and English: the language of the reader is unknown. */
export function forwardAddressMail({ instance_id, instance, to, link }: ForwardAddressMail): PlatformMail {
  const name = nameInMail(instance);
  return linkMail({
    kind: 'forward-verification',
    written_for: instance_id,
    to,
    subject: `«${name}» quiere reenviarte correo / “${name}” wants to forward mail to you`,
    link,
    paragraphs: [
      `«${name}» quiere reenviar a esta dirección correo que recibe. Si estás de acuerdo, abre este enlace dentro de siete días:`,
      link,
      `“${name}” wants to forward mail that it receives to this address. If you agree, open this link within seven days:`,
      link,
      'Si no esperabas este mensaje, ignóralo. If you did not expect this message, ignore it.',
    ],
  });
}
