import type { Queryable } from '../../base/db/database.ts';
import { escapeHtml } from '../../base/http/html.ts';
import type { MailTokens, StoredContent } from '../../mails/index.ts';
import { renderStored, type TemplateRenderer } from '../../templates/index.ts';
import { unsubscribePlaceholder } from '../personal-content.ts';
import { submittedDocument, textDocument, withImages, type CarriedImage } from './submitted-document.ts';

interface StoredMail extends StoredContent {
  instance_id: number;
  msg_id: string;
  recipient: string;
  recipient_name: string | null;
  subject: string;
}

export interface ShownMessage {
  subject: string;
  /** The document as received, without tracking. */
  html: string;
}

interface Showing {
  renderer: Pick<TemplateRenderer, 'render'>;
  tokens: MailTokens;
  base_url: string;
}

/**
 * Undefined when the content is past its retention or cannot be rendered. It is stored without tracking, which
 * delivery adds.
 */
export async function findShownMessage(
  db: Queryable,
  mailId: string,
  { tokens, renderer, base_url }: Showing,
): Promise<ShownMessage | undefined> {
  const [stored] = await db.query<StoredMail & Record<string, unknown>>(
    `select mail.msg_id, mail.instance_id, mail.recipient, mail.recipient_name, mail.subject, message.content_kind,
       message.envelope, message.html,
       message.text, message.raw, message.variables
     from mails mail join messages message using (msg_id) where mail.mail_id = $1`,
    [mailId],
  );
  if (!stored) return undefined;
  const urls = {
    unsubscribe_url: `${base_url}/u/${tokens.make('unsubscribe', mailId)}`,
    view_url: `${base_url}/view/${tokens.make('view', mailId)}`,
  };
  const html =
    stored.content_kind === 'liquid' ? await fill(renderer, stored, urls) : documentOf(stored, urls);
  if (html === undefined) return undefined;
  const images = !stored.raw && /cid:/i.test(html) ? await findImages(db, stored.msg_id) : [];
  return { subject: stored.subject, html: withImages(html, images) };
}

async function findImages(db: Queryable, msgId: string): Promise<CarriedImage[]> {
  const files = await db.query<{ type: string; content_id: string; content: Buffer }>(
    'select type, content_id, content from message_attachments where msg_id = $1 and content_id is not null',
    [msgId],
  );
  return files.map(({ content, ...file }) => ({ ...file, length: content.length, bytes: () => content }));
}

interface Urls {
  unsubscribe_url: string;
  view_url: string;
}

function documentOf({ raw, html, text }: StoredContent, urls: Urls): string {
  if (raw) return submittedDocument(raw);
  const filled = html?.toString().replaceAll(unsubscribePlaceholder, escapeHtml(urls.unsubscribe_url));
  return filled ?? textDocument(text?.toString() ?? '');
}

async function fill(
  renderer: Showing['renderer'],
  stored: StoredMail,
  urls: Urls,
): Promise<string | undefined> {
  const rendered = await renderStored(renderer, stored, urls);
  return rendered && (rendered.html ?? textDocument(rendered.text ?? ''));
}
