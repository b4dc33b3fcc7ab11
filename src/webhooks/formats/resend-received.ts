import type { ReceivedEvent } from '../../received/index.ts';

/** `email.received` has what the mail is about; its content is asked for by its identifier. */
export function resendReceived(mail: ReceivedEvent): Record<string, unknown> {
  const { from, to, cc } = mail;
  const [first] = from;
  const written = first && first.name !== null ? `${first.name} <${first.email}>` : first?.email;
  return {
    type: 'email.received',
    created_at: mail.received_at.toISOString(),
    data: {
      email_id: mail.id,
      created_at: mail.received_at.toISOString(),
      from: written ?? mail.mail_from ?? '',
      to: to.map(({ email }) => email),
      cc: cc.map(({ email }) => email),
      bcc: [],
      received_for: [mail.recipient],
      message_id: mail.message_id === null ? '' : `<${mail.message_id}>`,
      subject: mail.subject ?? '',
      attachments: mail.attachments.map(({ n, filename, content_type, disposition, content_id }) => ({
        id: `${mail.id}-${n}`,
        filename: filename ?? '',
        content_type,
        content_disposition: disposition,
        content_id,
      })),
    },
  };
}
