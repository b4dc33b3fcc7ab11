import type { Queryable } from '../../base/db/database.ts';
import { escapeHtml } from '../../base/http/html.ts';
import type { MailTokens } from '../../mails/mail-token.ts';
import type { Envelope } from '../../mails/new-message.ts';
import { renderContent } from '../../templates/render-template.ts';
import { unsubscribe_placeholder } from '../personal-content.ts';
import { submittedDocument, textDocument } from './submitted-document.ts';

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
  return { subject: stored.subject, html: documentOf(stored, urls) };
}

function documentOf(stored: StoredContent, urls: { unsubscribe_url: string; view_url: string }): string {
  if (stored.raw) return submittedDocument(stored.raw);
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
