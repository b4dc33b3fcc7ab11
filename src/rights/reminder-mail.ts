import type { Language } from '../base/http/preferred-language.ts';
import { linkMail, nameInMail, type PlatformMail } from '../base/platform-mail.ts';

const texts = {
  es: {
    subject: (instance: string) => `Solicitudes de derechos por responder: «${instance}»`,
    due: (count: number) => `Solicitudes de personas que vencen dentro de siete días: ${count}.`,
    overdue: (count: number) => `Solicitudes de personas cuyo plazo ya venció: ${count}.`,
    answer: 'Respóndalas en el panel:',
  },
  en: {
    subject: (instance: string) => `Rights requests to answer: “${instance}”`,
    due: (count: number) => `Privacy requests that are due within seven days: ${count}.`,
    overdue: (count: number) => `Privacy requests that are overdue: ${count}.`,
    answer: 'Answer them in the panel:',
  },
} satisfies Record<Language, object>;

interface Reminder {
  instance_id: number;
  to: string;
  /** Null when the reader has chosen none: then both are written. */
  language: Language | null;
  instance: string;
  due: number;
  overdue: number;
  link: string;
}

/** Names no person: mail is read by others than those who answer. */
export function reminderMail({
  instance_id,
  to,
  language,
  instance,
  due,
  overdue,
  link,
}: Reminder): PlatformMail {
  const languages: Language[] = language === null ? ['es', 'en'] : [language];
  const paragraphs = languages.flatMap((each) => {
    const words = texts[each];
    return [
      ...(due > 0 ? [words.due(due)] : []),
      ...(overdue > 0 ? [words.overdue(overdue)] : []),
      words.answer,
      link,
    ];
  });
  return linkMail({
    kind: 'rights-reminder',
    written_for: instance_id,
    to,
    subject: languages.map((each) => texts[each].subject(nameInMail(instance))).join(' / '),
    link,
    paragraphs,
  });
}
