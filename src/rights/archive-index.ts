import { escapeHtml } from '../base/http/html.ts';
import type { Language } from '../base/http/preferred-language.ts';
import type { Collection } from '../base/personal-data.ts';
import type { ArchiveSubject } from './archive.ts';

/** Names of the files in the language of the person; `schema.json` explains each in English, for programs. */
const titles: Record<Language, Record<string, string>> = {
  es: {
    mails: 'Correos dirigidos a ti',
    events: 'Qué pasó con cada correo: entregas, aperturas, clics',
    unsubscribes: 'Bajas',
    complaints: 'Denuncias',
    restrictions: 'Direcciones a las que no se escribe',
    consents: 'Consentimientos, con sus textos',
    form_submissions: 'Formularios que llenaste',
    form_update_links: 'Enlaces para cambiar lo que llenaste',
    inbound_messages: 'Correos que escribiste',
    webhook_deliveries: 'Avisos a sistemas del remitente',
    sandbox_messages: 'Mensajes de prueba',
    invitations: 'Invitaciones',
    audit_events: 'Registro de acciones que te conciernen',
    rights_requests: 'Solicitudes de derechos',
  },
  en: {
    mails: 'Mail addressed to you',
    events: 'What happened to each mail: deliveries, opens, clicks',
    unsubscribes: 'Unsubscribes',
    complaints: 'Complaints',
    restrictions: 'Addresses that are not written to',
    consents: 'Consents, with their texts',
    form_submissions: 'Forms that you filled in',
    form_update_links: 'Links to change what you filled in',
    inbound_messages: 'Mail that you wrote',
    webhook_deliveries: 'Notices to systems of the sender',
    sandbox_messages: 'Test messages',
    invitations: 'Invitations',
    audit_events: 'Recorded actions that concern you',
    rights_requests: 'Privacy requests',
  },
};

const words = {
  es: {
    title: (instance: string) => `Tus datos en ${instance}`,
    all: (who: string, at: string) => `Todo lo que nombra a ${who}, al ${at}.`,
    mails:
      'Los correos mismos están en la carpeta mails; cualquier programa de correo los abre. Son copias: sus enlaces de baja, de denuncia y de vista no hacen nada.',
    schema: 'El archivo schema.json explica cada archivo para programas.',
    heads: ['Archivo', 'Filas', 'Formato'],
  },
  en: {
    title: (instance: string) => `Your data at ${instance}`,
    all: (who: string, at: string) => `Everything that names ${who}, as of ${at}.`,
    mails:
      'The mails themselves are in the folder mails; any mail program opens them. They are copies: their links to unsubscribe, report and view do nothing.',
    schema: 'The file schema.json explains each file for programs.',
    heads: ['File', 'Rows', 'Format'],
  },
} satisfies Record<Language, object>;

/** The page that a person opens first. It loads nothing and runs nothing. */
export function indexPage(
  { contacts, instance, language, made_at }: ArchiveSubject,
  collections: readonly Collection[],
  counts: ReadonlyMap<string, number>,
): string {
  const { title, all, mails, schema, heads } = words[language];
  const rows = collections.map(
    ({ name }) => `<tr><td>${escapeHtml(titles[language][name] ?? name)}</td>
<td class="n">${counts.get(name) ?? 0}</td>
<td><a href="${name}.csv">CSV</a> · <a href="${name}.json">JSON</a></td></tr>`,
  );
  const who = contacts.map(({ contact }) => contact).join(', ');
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title(instance.name))}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #1c1b19; background: #fff }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .5rem; border-bottom: 1px solid #ddd; vertical-align: top }
.n { text-align: right; font-variant-numeric: tabular-nums } span { color: #57534e; font-size: .875rem }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #161514 } th, td { border-color: #444 } span { color: #bbb } a { color: #9cf } }
</style></head><body>
<h1>${escapeHtml(title(instance.name))}</h1>
<p>${escapeHtml(all(who, made_at.toISOString()))}</p>
<p>${escapeHtml(mails)}</p>
<table><thead><tr><th>${heads[0]}</th><th class="n">${heads[1]}</th><th>${heads[2]}</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>
<p>${escapeHtml(schema)}</p>
</body></html>
`;
}
