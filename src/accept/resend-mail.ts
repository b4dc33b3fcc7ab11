import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { findDropped, loadAttachments } from '../deliver/index.ts';
import type { MailTokens, StoredContent, Tags } from '../mails/index.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import { readHeaderBlock, removeFields } from '../protocol/mime/header-block.ts';
import { parseMessage } from '../protocol/mime/parse-message.ts';
import { withoutRecipients } from '../protocol/mime/without-recipients.ts';
import { renderStored, type TemplateRenderer } from '../templates/index.ts';
import type { Draft, DraftCommon } from './draft.ts';

interface StoredMail extends StoredContent {
  instance_id: number;
  msg_id: string;
  recipient: string;
  recipient_name: string | null;
  sender_email: string;
  subject: string;
  test_mode: boolean;
  custom_msg_id: string | null;
  custom_group_code: string | null;
  tags: Tags | null;
  category: string | null;
  consent_purpose_id: number | null;
}

export interface ResendContext {
  db: Queryable;
  renderer: Pick<TemplateRenderer, 'render'>;
  tokens: MailTokens;
  base_url: string;
}

/**
 * The message of a mail as a new one, only to the same recipient. Limits, restrictions and consent hold for it as for any
 * other. What was a template is sent as it was rendered then.
 */
export async function draftAgain(context: ResendContext, instanceId: number, mailId: string): Promise<Draft> {
  const stored = await findStored(context.db, instanceId, mailId);
  const recipient = canonicalAddress(stored.recipient);
  if (!recipient) throw new Error(`mail ${mailId} has a recipient that is not an address`);
  const { address, domain } = recipient;
  const own = address.toLowerCase();
  const { sender_email, test_mode, custom_msg_id, custom_group_code, tags, category } = stored;
  const common = {
    instance_id: instanceId,
    source: 'http' as const,
    sender_email,
    recipients: [{ kind: 'to' as const, address, domain, name: stored.recipient_name ?? undefined }],
    category,
    test_mode,
    custom_msg_id,
    custom_group_code,
    tags,
    consent_purpose_id: stored.consent_purpose_id ?? undefined,
    reply_token: stored.envelope.reply_token,
    tracking: Object.fromEntries((stored.envelope.untracked ?? []).map((each) => [each, false])),
  };
  if (stored.raw) {
    const dropped = await findDropped(context.db, [{ ...stored, consent_purpose_id: null }]);
    const others = [...(dropped.get(stored.msg_id) ?? [])].filter((each) => each !== own);
    return { ...common, kind: 'raw', ...rawAgain(stored.raw, stored, new Set(others)) };
  }
  const { html, text } = await contentOf(context, stored, mailId);
  return {
    ...common,
    kind: 'content',
    subject: stored.subject,
    html: html ?? '',
    text,
    sender_name: stored.envelope.from.name,
    reply_to: [stored.envelope.reply_to ?? []].flat(),
    headers: stored.envelope.headers,
    attachments: await loadAttachments(context.db, stored.msg_id),
  };
}

async function findStored(db: Queryable, instanceId: number, mailId: string): Promise<StoredMail> {
  const [stored] = await db.query<StoredMail & Record<string, unknown>>(
    `select m.instance_id, m.recipient, m.recipient_name, m.sender_email, m.subject, m.test_mode, m.custom_msg_id, m.custom_group_code,
       m.tags, c.slug as category, m.msg_id, message.content_kind, message.envelope, message.html, message.text, message.raw,
       message.variables, message.consent_purpose_id
     from mails m join messages message on message.msg_id = m.msg_id left join categories c on c.id = m.category_id
     where m.mail_id = $1 and m.instance_id = $2`,
    [mailId, instanceId],
  );
  if (!stored) throw new Problem('mail_not_found');
  return stored;
}

/**
 * Servers take two messages of one Message-ID for the same (RFC 5322 §3.6.4): the new one gets its own. It names those that the
 * first one named.
 */
function rawAgain(
  given: Buffer,
  { subject, envelope }: StoredMail,
  dropped: ReadonlySet<string>,
): Omit<Extract<Draft, { kind: 'raw' }>, keyof DraftCommon | 'kind'> &
  Pick<DraftCommon, 'recipients_visible'> {
  const shared = dropped.size > 0 ? withoutRecipients(given, dropped) : given;
  const block = readHeaderBlock(shared);
  const raw = block ? removeFields(shared, block, ({ name }) => name === 'message-id') : shared;
  const attachment_bytes = parseMessage(raw).attachments.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  const { from, to, cc, recipients_visible } = envelope;
  const isNamed = ({ address }: { address: string }): boolean => !dropped.has(address.toLowerCase());
  return {
    subject,
    from_name: from.name,
    to: to.filter(isNamed),
    cc: cc.filter(isNamed),
    recipients_visible,
    raw,
    attachment_bytes,
  };
}

/** The placeholder stays, so that the new mail has an unsubscribe link of its own. */
async function contentOf(
  { renderer, tokens, base_url }: ResendContext,
  stored: StoredMail,
  mailId: string,
): Promise<{ html: string | null; text: string | null }> {
  if (stored.content_kind !== 'liquid') {
    return { html: stored.html?.toString() ?? null, text: stored.text?.toString() ?? null };
  }
  const urls = {
    unsubscribe_url: '{{ unsubscribe_url }}',
    view_url: `${base_url}/view/${tokens.make('view', mailId)}`,
  };
  const rendered = await renderStored(renderer, stored, urls);
  if (!rendered) throw new Problem('mail_content_not_found');
  return rendered;
}
