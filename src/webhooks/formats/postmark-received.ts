import type { ReceivedEvent } from '../../received/index.ts';

interface Named {
  email: string;
  name: string | null;
}

const full =
  (tag: string | null) =>
  ({ email, name }: Named) => ({
    Email: email,
    Name: name ?? '',
    MailboxHash: tag ?? '',
  });

const written = ({ email, name }: Named): string =>
  name === null ? email : `"${name.replaceAll('"', '')}" <${email}>`;
const listed = (mailboxes: Named[]): string => mailboxes.map(written).join(', ');

/** As its inbound webhook has it. Files that are too large for it have their link in place of their content. */
export function postmarkReceived(mail: ReceivedEvent): Record<string, unknown> {
  const { from, to, cc, reply_to, tag } = mail;
  const [first] = from;
  return {
    RecordType: 'Inbound',
    FromName: first?.name ?? '',
    MessageStream: 'inbound',
    From: first?.email ?? mail.mail_from ?? '',
    FromFull: full(null)(first ?? { email: mail.mail_from ?? '', name: null }),
    To: listed(to),
    ToFull: to.map(full(tag)),
    Cc: listed(cc),
    CcFull: cc.map(full(null)),
    Bcc: '',
    BccFull: [],
    OriginalRecipient: mail.recipient,
    Subject: mail.subject ?? '',
    MessageID: mail.id,
    ReplyTo: listed(reply_to),
    MailboxHash: tag ?? '',
    Date: (mail.sent_at ?? mail.received_at).toISOString(),
    TextBody: mail.text ?? '',
    HtmlBody: mail.html ?? '',
    StrippedTextReply: mail.text_reply ?? '',
    Tag: '',
    Headers: mail.headers.map(({ name, value }) => ({ Name: name, Value: value })),
    Attachments: mail.attachments.map(({ filename, content, content_type, size_bytes, content_id, url }) => ({
      Name: filename ?? '',
      Content: content ?? '',
      ContentType: content_type,
      ContentLength: size_bytes,
      ContentID: content_id ?? '',
      ...(content === null ? { ContentUrl: url } : {}),
    })),
  };
}
