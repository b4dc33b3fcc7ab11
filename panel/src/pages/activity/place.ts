import type { Place } from '../../parts/app/page-link.tsx';

/** A row leads to its mail, that of a message to the mails of it. */
export function placeOf(row: { mail_id: string } | { msg_id: string }): Place {
  if ('mail_id' in row) return { page: 'mail', id: row.mail_id };
  return { page: 'mails', search: { msg_id: row.msg_id } };
}
