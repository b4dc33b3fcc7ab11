import PostalMime, { type Email } from 'postal-mime';
import type { Queryable } from '../../base/db/database.ts';
import { escapeHtml } from '../../base/http/html.ts';
import type { MailTokens } from '../../mails/mail-token.ts';
import type { Envelope } from '../../mails/new-message.ts';
import { renderContent } from '../../templates/render-template.ts';
import { unsubscribe_placeholder } from '../personal-content.ts';

interface StoredContent {
  recipient: string;
  recipient_name: string | null;
  subject: string;
  content_kind: 'parts' | 'liquid' | 'raw';
  envelope: Envelope;
  html: Buffer | null;
  text: Buffer | null;
  raw: Buffer | null;
}

export interface ShownMessage {
  subject: string;
  /** The document as its recipient saw it, without anything that reports back to us. */
  html: string;
}

interface Showing {
  tokens: MailTokens;
  base_url: string;
}

/** Undefined once the content has left retention. It was kept without tracking, which delivery adds. */
export async function findShownMessage(
  db: Queryable,
  mailId: string,
  { tokens, base_url }: Showing,
): Promise<ShownMessage | undefined> {
  const [stored] = await db.query<StoredContent & Record<string, unknown>>(
    `select mail.recipient, mail.recipient_name, mail.subject, message.content_kind, message.envelope, message.html,
       message.text, message.raw
     from mails mail join messages message using (msg_id) where mail.mail_id = $1`,
    [mailId],
  );
  if (!stored) return undefined;
  const urls = {
    unsubscribe_url: `${base_url}/u/${tokens.make('unsubscribe', mailId)}`,
    view_url: `${base_url}/view/${tokens.make('view', mailId)}`,
  };
  return { subject: stored.subject, html: await documentOf(stored, urls) };
}

async function documentOf(
  stored: StoredContent,
  urls: { unsubscribe_url: string; view_url: string },
): Promise<string> {
  if (stored.raw) return submittedDocument(await PostalMime.parse(stored.raw));
  const html = stored.html?.toString() ?? null;
  const text = stored.text?.toString() ?? null;
  if (stored.content_kind !== 'liquid') {
    const filled = html?.replaceAll(unsubscribe_placeholder, escapeHtml(urls.unsubscribe_url));
    return filled ?? textDocument(text ?? '');
  }
  const recipient = { email: stored.recipient, name: stored.recipient_name ?? '' };
  const rendered = renderContent({ subject: null, html, text }, { recipient, ...urls });
  return rendered.html ?? textDocument(rendered.text ?? '');
}

/** Images that came along in the message are put into the document, since there is nothing to load them from. */
function submittedDocument({ html, text, attachments }: Email): string {
  if (!html) return textDocument(text ?? '');
  const images = new Map(
    attachments.flatMap(({ contentId, mimeType, content }) =>
      contentId && /^image\/[\w.+-]+$/.test(mimeType)
        ? [[contentId.replace(/^<(.*)>$/s, '$1'), { mimeType, content }] as const]
        : [],
    ),
  );
  return html.replaceAll(/cid:([^"'\s)>]{1,500})/gi, (whole, id: string) => {
    const image = images.get(id) ?? images.get(safelyDecoded(id));
    if (!image) return whole;
    return `data:${image.mimeType};base64,${Buffer.from(image.content as ArrayBuffer).toString('base64')}`;
  });
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function textDocument(text: string): string {
  return `<pre style="white-space:pre-wrap;overflow-wrap:anywhere;font:15px/1.5 ui-monospace,monospace;margin:24px">${escapeHtml(text)}</pre>`;
}
