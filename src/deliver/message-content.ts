import { addressKey } from '../base/db/address-key.ts';
import { notBlocked } from '../base/db/blocked-contacts.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { scanLinks } from '../protocol/html/scan-links.ts';
import { parseMessage } from '../protocol/mime/parse-message.ts';
import { TemplateFailure } from '../templates/index.ts';
import { withImagesOf } from '../track/index.ts';
import type { PersonalMessage } from './build-message.ts';
import { loadBatch, type DueMail } from './load-batch.ts';
import type { ContentLink, MessageContent } from './message-content-schemas.ts';

export interface ContentContext {
  db: Queryable;
  build: (mail: DueMail) => Promise<PersonalMessage>;
}

const visible = (instance: string): string => notBlocked(addressKey('recipient'), instance);

const maxSiblings = 50;
const maxLinks = 500;

/**
 * The message of a mail as its recipient gets it, without what reports back: opens and clicks of a preview must
 * not count. It is built anew from what is kept, as a delivery does.
 */
export async function getMessageSource(
  { db, build }: ContentContext,
  instanceId: number,
  mailId: string,
): Promise<{ raw: Buffer; mail: DueMail }> {
  const [row] = await db.query<{ msg_id: string }>(
    `select msg_id from mails where mail_id = $1 and instance_id = $2 and ${visible('$2')}`,
    [mailId, instanceId],
  );
  if (!row) throw new Problem('mail_not_found');
  const [mail] = await loadToRead(db, instanceId, [{ ...row, mail_id: mailId }]);
  if (!mail) throw new Problem('mail_not_found');
  const raw = await rawOf(build, mail);
  if (!raw) throw new Problem('mail_content_not_found');
  return { raw, mail };
}

interface MailToRead {
  mail_id: string;
  msg_id: string;
}

/** Content of a batch is up to 256 KB each; larger content is loaded by itself. */
const sourcesAtOnce = 25;

/** The messages of many mails, one after the other. What has left retention, or was a template that fails now, has none. */
export async function* messageSourcesOf(
  { db, build }: ContentContext,
  instanceId: number,
  mails: readonly MailToRead[],
): AsyncGenerator<{ mail_id: string; raw: Buffer }> {
  for (let at = 0; at < mails.length; at += sourcesAtOnce) {
    const loaded = await loadToRead(db, instanceId, mails.slice(at, at + sourcesAtOnce));
    await markWithoutAttachments(db, loaded);
    for (const mail of loaded) {
      const raw = await rawOf(build, mail);
      if (raw) yield { mail_id: mail.mail_id, raw };
    }
  }
}

async function loadToRead(
  db: Queryable,
  instance_id: number,
  mails: readonly MailToRead[],
): Promise<DueMail[]> {
  // They were not claimed, so the lease is not needed.
  const claim = { lease: '', leased_at: 0, destination: '', attempt: 2 };
  const loaded = await loadBatch(
    db,
    mails.map(({ mail_id, msg_id }) => ({ ...claim, mail_id, msg_id, instance_id })),
  );
  for (const { message } of loaded) Object.assign(message, { track_opens: false, track_clicks: false });
  return loaded;
}

/** Most messages have none, and are not asked for them one by one. */
async function markWithoutAttachments(db: Queryable, mails: readonly DueMail[]): Promise<void> {
  const having = await db.query<{ msg_id: string }>(
    'select distinct msg_id from message_attachments where msg_id = any ($1::uuid[])',
    [mails.map(({ msg_id }) => msg_id)],
  );
  const known = new Set(having.map(({ msg_id }) => msg_id));
  for (const { message } of mails) if (!known.has(message.msg_id)) message.attachments = [];
}

/** Undefined for a template that fails now. */
async function rawOf(build: ContentContext['build'], mail: DueMail): Promise<Buffer | undefined> {
  try {
    const { header, body } = await build(mail);
    return Buffer.concat([header, Buffer.from('\r\n'), ...body]);
  } catch (error) {
    if (error instanceof TemplateFailure) return undefined;
    throw error;
  }
}

export async function getMessageContent(
  context: ContentContext,
  instanceId: number,
  mailId: string,
): Promise<MessageContent> {
  const { raw, mail } = await getMessageSource(context, instanceId, mailId);
  const { headers, html, text, attachments } = parseMessage(raw);
  const { msg_id, source, stream } = mail.message;
  return {
    mail_id: mailId,
    msg_id,
    source,
    stream,
    size_bytes: raw.length,
    own_links_work: false,
    headers,
    html: html === null ? null : withImagesOf(html, raw),
    text,
    attachments: attachments.map((each, index) => ({ position: index + 1, ...each })),
    links: await listLinks(context.db, instanceId, { mail_id: mailId, html }),
    siblings: await context.db.query<MessageContent['siblings'][number]>(
      `select mail_id, recipient as "to", recipient_kind as kind, status from mails
       where instance_id = $1 and msg_id = $2 and mail_id <> $3 and ${visible('$1')} order by mail_id limit ${maxSiblings}`,
      [instanceId, msg_id, mailId],
    ),
  };
}

/** Links of the HTML in their order, and how often each was followed; those that were followed and no longer stand there last. */
async function listLinks(
  db: Queryable,
  instanceId: number,
  { mail_id, html }: { mail_id: string; html: string | null },
): Promise<ContentLink[]> {
  const clicked = await db.query<ContentLink>(
    `select data ->> 'url' as url, coalesce(sum(visits) filter (where not coalesce((data ->> 'is_machine')::boolean, false)), 0) as clicks,
       coalesce(sum(visits) filter (where (data ->> 'is_machine')::boolean), 0) as machine_clicks
     from events where mail_id = $1 and instance_id = $2 and event = 'clicked' and data ->> 'url' is not null
     group by 1 order by 1 limit ${maxLinks}`,
    [mail_id, instanceId],
  );
  const links = new Map<string, ContentLink>();
  for (const { url } of html === null ? [] : scanLinks(html, { opt_out: '' }).links) {
    if (!/^https?:/i.test(url) || !URL.canParse(url) || links.size >= maxLinks) continue;
    const { href } = new URL(url);
    links.set(href, { url: href, clicks: 0, machine_clicks: 0 });
  }
  for (const link of clicked) links.set(link.url, link);
  return [...links.values()];
}
