import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/domains.ts';

export const messages: Translation<typeof english> = {
  title: 'Dominios',
  about: 'Tu correo sale de dominios que verificaste. Cada uno tiene sus propias claves DKIM.',
  add: 'Agregar dominio',
  domain: 'Dominio',
  domain_help: 'Un subdominio que no uses para nada más, como mail.example.com.',
  in_use: (domain) => `${domain} recibe correo en otra parte`,
  in_use_about: (domain) =>
    `El MX de un dominio de envío debe apuntar a esta plataforma. Si lo cambiaras, las casillas de ${domain} dejarían de recibir correo. Hoy su correo llega a:`,
  is_alias: (domain) => `${domain} es un alias`,
  is_alias_about: (target) =>
    `Tiene un CNAME a ${target}, y un nombre con CNAME no puede tener registros MX ni TXT. Usa otro nombre o quita primero el CNAME.`,
  use_instead: (domain) => `Usar ${domain}`,
  no_mailboxes: (domain) => `${domain} no tiene casillas de correo, así que su MX se puede cambiar.`,
  add_anyway: 'Agregar de todos modos',
  state: 'Estado',
  verified: 'Verificado',
  pending: 'Faltan registros',
  failed: 'Requiere atención',
  revoked: 'Revocado',
  sandbox: 'Sandbox',
  checked: 'Última revisión',
  never: 'nunca',
  records: 'Registros',
  verified_filter: 'Verificado',
  yes: 'Sí',
  no: 'No',
  empty: 'Todavía no hay dominios',
  empty_about:
    'Agrega el dominio desde el que saldrá tu correo. Te damos los registros para tu DNS; cuando estén publicados, tus remitentes pueden escribir a cualquier dirección.',
};
