import type { Translation } from '../translation.ts';
import type { messages as english } from '../en/domains.ts';

export const messages: Translation<typeof english> = {
  title: 'Dominios',
  about: 'El correo sale de dominios que prueban ser suyos. Cada uno tiene sus propias claves DKIM.',
  add: 'Agregar dominio',
  domain: 'Dominio',
  domain_help: 'Un nombre que usted controla, como mail.example.com.',
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
  empty: 'Aún no hay dominios',
  empty_about:
    'Agregue el dominio del que debe salir su correo. Recibe cinco registros para su DNS; cuando estén, sus remitentes pueden escribir a cualquiera.',
};
