import type { Queryable } from '../base/db/database.ts';
import type { Language } from '../base/http/preferred-language.ts';
import { linkMail, nameInMail, type PlatformMail, type SendPlatformMail } from '../base/platform-mail.ts';
import { limitPlatformMail, type PlatformMailLimits } from '../limits/index.ts';
import { archiveDays } from './archive-access.ts';

const texts = {
  es: {
    subject: (instance: string) => `Tus datos en «${instance}»`,
    text: (instance: string) =>
      `«${instance}» respondió tu solicitud. Descarga desde aquí una copia de todo lo que tiene sobre ti:`,
    how: `El enlace vale ${archiveDays} días. Al abrirlo te enviaremos un código a esta misma dirección: sin él, nadie descarga tus datos.`,
    ignore: 'Si no hiciste esta solicitud, no abras el enlace y responde a quien tiene tus datos.',
    code_subject: 'Tu código para descargar tus datos',
    code: (code: string) => `Tu código es ${code}. Vale 15 minutos.`,
    code_ignore: 'Si no lo pediste, ignora este correo. No le des el código a nadie.',
  },
  en: {
    subject: (instance: string) => `Your data at “${instance}”`,
    text: (instance: string) =>
      `“${instance}” answered your request. Download a copy of everything that it holds about you:`,
    how: `The link works for ${archiveDays} days. When you open it, we send a code to this same address: without it nobody downloads your data.`,
    ignore:
      'If you did not make this request, do not open the link, and tell the company that holds your data.',
    code_subject: 'Your code to download your data',
    code: (code: string) => `Your code is ${code}. It works for 15 minutes.`,
    code_ignore: 'If you did not ask for it, ignore this mail. Give the code to nobody.',
  },
} satisfies Record<Language, object>;

interface About {
  instance_id: number;
  to: string;
  language: Language;
}

function archiveMail({
  instance_id,
  to,
  language,
  instance,
  link,
}: About & { instance: string; link: string }): PlatformMail {
  const words = texts[language];
  const name = nameInMail(instance);
  return linkMail({
    kind: 'rights-archive',
    written_for: instance_id,
    to,
    subject: words.subject(name),
    link,
    paragraphs: [words.text(name), link, words.how, words.ignore],
  });
}

/** Has no link: who reads only this mail has nothing to use the code for. */
export function codeMail({ instance_id, to, language, code }: About & { code: string }): PlatformMail {
  const words = texts[language];
  return linkMail({
    kind: 'rights-code',
    written_for: instance_id,
    to,
    subject: words.code_subject,
    link: '',
    paragraphs: [words.code(code), words.code_ignore],
  });
}

export interface ArchiveMailing {
  sendPlatformMail: SendPlatformMail;
  mail_limits: PlatformMailLimits;
  linkOf: (id: number) => string;
}

/**
 * Mails the link to the archive to the first address of the request, in the transaction that fulfils it: a failure is repeated, and a
 * mail twice is better than none. Without an address the archive is handed over in another way.
 */
export async function mailArchive(
  tx: Queryable,
  { sendPlatformMail, mail_limits, linkOf }: ArchiveMailing,
  { instance_id, id, now }: { instance_id: number; id: number; now: Date },
): Promise<void> {
  const [row] = await tx.query<{ to: string | null; language: Language; instance: string }>(
    `update rights_requests r set archive_mailed_at = $3
     from instances i where i.id = r.instance_id and r.instance_id = $1 and r.id = $2 and r.status = 'fulfilled'
       and r.kind in ('access', 'portability') and jsonb_path_exists(r.contacts, '$[*] ? (@.contact_type == "email_address")')
     returning jsonb_path_query_first(r.contacts, '$[*] ? (@.contact_type == "email_address")') ->> 'contact' as to,
       r.language, i.name as instance`,
    [instance_id, id, now],
  );
  if (!row || row.to === null) return;
  const { to, language, instance } = row;
  await limitPlatformMail(tx, mail_limits, { kind: 'archive', instance_id, recipient: to, address: null });
  await sendPlatformMail(archiveMail({ instance_id, to, language, instance, link: linkOf(id) }));
}
