import type { Language } from '../../base/http/preferred-language.ts';
import { linkMail, nameInMail, type PlatformMail } from '../../base/platform-mail.ts';
import type { RequestKind } from '../request-schemas.ts';
import { rightsTexts } from './rights-texts.ts';

interface Verification {
  instance_id: number;
  to: string;
  kind: RequestKind;
  instance: string;
  link: string;
}

/** Has nothing of what the asker wrote: a stranger could use it to send words of their own. */
export function verificationMail(
  lang: Language,
  { instance_id, to, kind, instance, link }: Verification,
): PlatformMail {
  const words = rightsTexts[lang];
  const name = nameInMail(instance);
  const paragraphs = [words.mail.text(words.kinds[kind], name), link, words.mail.ignore];
  return linkMail({
    kind: 'rights-verification',
    written_for: instance_id,
    to,
    subject: words.mail.subject(name),
    link,
    paragraphs,
  });
}
