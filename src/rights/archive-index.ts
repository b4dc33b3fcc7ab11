import { escapeHtml } from '../base/http/html.ts';
import type { Collection } from '../base/personal-data.ts';
import type { ArchiveSubject } from './archive.ts';

/** Names of the files for people, in Spanish; the schema explains them in English. */
const titles: Record<string, string> = {
  mails: 'Correos dirigidos a ti',
  events: 'Qué pasó con cada correo: entregas, aperturas, clics',
  unsubscribes: 'Bajas',
  complaints: 'Denuncias',
  restrictions: 'Direcciones a las que no se escribe',
  consents: 'Consentimientos, con sus textos',
  form_submissions: 'Formularios que llenaste',
  inbound_messages: 'Correos que escribiste',
  webhook_deliveries: 'Avisos a sistemas del remitente',
  sandbox_messages: 'Mensajes de prueba',
  invitations: 'Invitaciones',
  audit_events: 'Registro de acciones que te conciernen',
  rights_requests: 'Solicitudes de derechos',
};

/** The page that a person opens first. It loads nothing and runs nothing. */
export function indexPage(
  { contacts, instance, made_at }: ArchiveSubject,
  collections: readonly Collection[],
  counts: ReadonlyMap<string, number>,
): string {
  const rows = collections.map(({ name, about }) => {
    const title = titles[name] ?? name;
    return `<tr><td><strong>${escapeHtml(title)}</strong><br><span lang="en">${escapeHtml(about)}</span></td>
<td class="n">${counts.get(name) ?? 0}</td>
<td><a href="${name}.csv">CSV</a> · <a href="${name}.json">JSON</a></td></tr>`;
  });
  return `<!doctype html>
<html lang="es"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tus datos en ${escapeHtml(instance.name)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #1c1b19; background: #fff }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .5rem; border-bottom: 1px solid #ddd; vertical-align: top }
.n { text-align: right; font-variant-numeric: tabular-nums } span { color: #57534e; font-size: .875rem }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #161514 } th, td { border-color: #444 } span { color: #bbb } a { color: #9cf } }
</style></head><body>
<h1>Tus datos en ${escapeHtml(instance.name)}</h1>
<p>Todo lo que nombra a ${escapeHtml(contacts.map(({ contact }) => contact).join(', '))}, al ${made_at.toISOString()}.
Los correos mismos están en la carpeta <code>mails</code>; cualquier programa de correo los abre.
Son copias: sus enlaces de baja, de denuncia y de vista no hacen nada.</p>
<p lang="en">Everything that names this person. The mails themselves are in the folder <code>mails</code>; they are
copies, whose links to unsubscribe, report and view do nothing. <code>schema.json</code>
explains every file for programs.</p>
<table><thead><tr><th>Archivo · File</th><th class="n">Filas · Rows</th><th>Formato · Format</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>
</body></html>
`;
}
