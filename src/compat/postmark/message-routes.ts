import { addMailFilters, recipientNotBlocked, requireMessageId, withinTime } from '../../activity/index.ts';
import { Conditions } from '../../base/db/conditions.ts';
import { Problem } from '../../base/errors/problem.ts';
import { getMessageSource } from '../../deliver/index.ts';
import { retentionStart } from '../../mails/index.ts';
import { tagName } from '../../webhooks/index.ts';
import type { CompatContext } from '../compat-context.ts';
import {
  findContent,
  findMessages,
  type FoundMail,
  type FoundMessage,
  mailboxText,
} from '../find-messages.ts';
import type { VendorCall, VendorRoute } from '../vendor.ts';
import { messageEvents } from './message-events.ts';
import { readFilters, readMoment, readPage, refused } from './paging.ts';
import { streamName, streams } from './streams.ts';

const filters = [
  'recipient',
  'fromemail',
  'tag',
  'status',
  'todate',
  'fromdate',
  'subject',
  'messagestream',
] as const;

export function messageRoutes(context: CompatContext): VendorRoute[] {
  return [listRoute(context), detailRoute(context), dumpRoute(context)];
}

/** Counted up to here: counting further would cost more than the page. */
const maxCounted = 10_000;

function listRoute({ db, clock }: CompatContext): VendorRoute {
  return {
    method: 'GET',
    path: '/messages/outbound',
    scope: 'mail:read',
    handle: async ({ caller: { instance }, query }) => {
      const { count, offset } = readPage(query);
      const conditions = conditionsOf(query, { instance, now: clock.now() });
      const source = `from mails m where ${conditions.sql()} group by m.msg_id`;
      const found = await withinTime(db, async (tx) => {
        const [counted] = await tx.query<{ total: number }>(
          `select count(*) as total from (select 1 ${source} limit ${maxCounted}) as found`,
          conditions.values,
        );
        const page = await tx.query<{ msg_id: string }>(
          `select m.msg_id ${source} order by m.msg_id desc limit ${count} offset ${offset}`,
          conditions.values,
        );
        const ids = page.map(({ msg_id }) => msg_id);
        return { total: counted?.total ?? 0, messages: await findMessages(tx, instance.id, ids) };
      });
      return { TotalCount: found.total, Messages: found.messages.map(messageOf) };
    },
  };
}

function conditionsOf(
  query: URLSearchParams,
  { instance, now }: { instance: VendorCall['caller']['instance']; now: Date },
): Conditions {
  const given = readFilters(query, filters);
  const kept = retentionStart(now, instance.retention_months);
  const from = readMoment('fromdate', given.fromdate, false) ?? kept;
  const conditions = new Conditions()
    .where('m.instance_id = ?', instance.id)
    .where('m.mail_id >= uuid_at(?::timestamptz)', from > kept ? from : kept)
    .where('m.mail_id < uuid_at(?::timestamptz)', readMoment('todate', given.todate, true))
    .where('lower(m.sender_email) = lower(?)', given.fromemail)
    .where('m.status = any (?::smallint[])', statusesOf(given.status))
    .where(recipientNotBlocked, instance.id);
  const stream = given.messagestream === undefined ? undefined : streams.get(given.messagestream);
  if (given.messagestream !== undefined && !stream) {
    throw refused('messagestream', 'The message stream is outbound or broadcast.');
  }
  conditions.where('exists (select from messages g where g.msg_id = m.msg_id and g.stream = ?)', stream);
  const tag = given.metadata.map(([name, value]) => `${name}:${value}`);
  if (given.tag !== undefined) tag.push(`${tagName}:${given.tag}`);
  const queryOfMails = { recipient: given.recipient ?? null, subject: given.subject ?? null, tag };
  return addMailFilters(conditions, { query: queryOfMails, instance });
}

const waiting = [1, 2, 5, 7];
const done = [3, 4, 6];
const statuses_of: ReadonlyMap<string, number[]> = new Map([
  ['queued', waiting],
  ['sent', done],
  ['processed', done],
]);

function statusesOf(status: string | undefined): number[] | undefined {
  if (status === undefined) return undefined;
  const statuses = statuses_of.get(status.toLowerCase());
  if (!statuses) throw refused('status', 'status is queued, sent or processed.');
  return statuses;
}

function messageOf(message: FoundMessage) {
  const { msg_id, envelope, received_at, subject, tags, stream, mails } = message;
  const { [tagName]: tag, ...metadata } = tags;
  const untracked = envelope.untracked ?? [];
  const named = (kind: FoundMail['recipient_kind']) =>
    mails
      .filter(({ recipient_kind }) => recipient_kind === kind)
      .map(({ recipient, recipient_name }) => ({ Email: recipient, Name: recipient_name ?? '' }));
  return {
    MessageID: msg_id,
    Tag: tag ?? '',
    To: named('to'),
    Cc: named('cc'),
    Bcc: named('bcc'),
    Recipients: mails.map(({ recipient }) => recipient),
    ReceivedAt: received_at.toISOString(),
    From: mailboxText(envelope.from),
    Subject: subject,
    Attachments: [] as string[],
    Status: mails.some(({ status }) => waiting.includes(status)) ? 'Queued' : 'Sent',
    TrackOpens: !untracked.includes('opens'),
    TrackLinks: untracked.includes('clicks') ? 'None' : 'HtmlOnly',
    Metadata: metadata,
    MessageStream: streamName(stream),
    Sandboxed: mails.every(({ recipient }) => /@(?:.+\.)?sandbox\.test$/i.test(recipient)),
  };
}

async function findOne({ db, clock }: CompatContext, { caller, params }: VendorCall): Promise<FoundMessage> {
  const { instance } = caller;
  const id = requireMessageId(params['id'] ?? '', clock.now(), instance.retention_months);
  const [message] = await findMessages(db, instance.id, [id]);
  if (!message) throw new Problem('message_not_found');
  return message;
}

function detailRoute(context: CompatContext): VendorRoute {
  const { db } = context;
  return {
    method: 'GET',
    path: '/messages/outbound/:id/details',
    scope: 'mail:read',
    handle: async (call) => {
      const message = await findOne(context, call);
      const { id } = call.caller.instance;
      const { html, text } = await findContent(db, id, message.msg_id);
      const attachments = await db.query<{ filename: string }>(
        'select filename from message_attachments where msg_id = $1 order by position',
        [message.msg_id],
      );
      return {
        ...messageOf(message),
        Attachments: attachments.map(({ filename }) => filename),
        TextBody: text ?? '',
        HtmlBody: html ?? '',
        Body: await sourceOf(context, id, message),
        MessageEvents: await messageEvents(db, id, message),
      };
    },
  };
}

function dumpRoute(context: CompatContext): VendorRoute {
  return {
    method: 'GET',
    path: '/messages/outbound/:id/dump',
    scope: 'mail:read',
    handle: async (call) => {
      const message = await findOne(context, call);
      return { Body: await sourceOf(context, call.caller.instance.id, message) };
    },
  };
}

/** As its first recipient gets it; empty where its template fails now. */
async function sourceOf(
  context: CompatContext,
  instanceId: number,
  { mails }: FoundMessage,
): Promise<string> {
  try {
    const { raw } = await getMessageSource(context, instanceId, mails[0]?.mail_id ?? '');
    return raw.toString();
  } catch (error) {
    if (error instanceof Problem && error.code === 'mail_content_not_found') return '';
    throw error;
  }
}
