import { noneBlocked } from '../base/db/blocked-contacts.ts';
import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { DateRange } from '../base/http/date-range.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import type { Addresses } from './received-mail.ts';
import type { ReceivedLinks } from './received-links.ts';
import type { ReceivedMail, ReceivedMailSummary } from './received-mail-schemas.ts';

const summaryColumns = `m.id, m.received_at, m.state, m.action, m.route_id, m.domain_id, m.is_sandbox, m.mail_from, m.recipient,
  m.tag, m.from_address, m.from_name, m.subject, m.size_bytes,
  (select count(*) from received_attachments a where a.received_mail_id = m.id) as attachment_count,
  coalesce((m.automation ->> 'is_auto_reply')::boolean, false) as is_auto_reply, m.read_at is not null as is_read,
  m.in_reply_to_mail_id`;

/** That nobody is blocked whom the mail names. */
export const nobodyBlocked = (instance: string): string =>
  noneBlocked(
    (isBlocked) => `exists (select from unnest(m.contacts) as c (contact) where ${isBlocked})`,
    { type: `'email_address'`, contact: 'c.contact' },
    instance,
  );

export interface ReceivedFilters {
  recipient?: string | null;
  from?: string | null;
  subject?: string | null;
  state?: string | null;
  route_id?: number | null;
  domain_id?: number | null;
  is_read?: boolean | null;
  is_auto_reply?: boolean | null;
  range: Pick<DateRange, 'from' | 'until'>;
}

/** Newest first. */
export async function listReceivedMails(
  db: Queryable,
  instanceId: number,
  { filters, page }: { filters: ReceivedFilters; page: PageRequest },
): Promise<PageOf<ReceivedMailSummary>> {
  const { range } = filters;
  const conditions = new Conditions()
    .where('m.instance_id = ?', instanceId)
    .where('m.id >= uuid_at(?)', range.from)
    .where('m.id < uuid_at(?)', range.until)
    .where(nobodyBlocked('?'), instanceId)
    .where('m.state = ?', filters.state)
    .where('m.route_id = ?', filters.route_id)
    .where('m.domain_id = ?', filters.domain_id)
    .where('(m.read_at is not null) = ?', filters.is_read)
    .where(`coalesce((m.automation ->> 'is_auto_reply')::boolean, false) = ?`, filters.is_auto_reply)
    .contains('m.recipient', filters.recipient)
    .contains(`(coalesce(m.mail_from, '') || ' ' || coalesce(m.from_address, ''))`, filters.from)
    .contains(`coalesce(m.subject, '')`, filters.subject);
  return await selectPage<ReceivedMailSummary>(
    db,
    {
      columns: summaryColumns,
      source: `from received_mails m where ${conditions.sql()}`,
      order_by: 'm.id desc',
      values: conditions.values,
    },
    page,
  );
}

type DetailRow = Omit<
  ReceivedMail,
  keyof Addresses | 'headers' | 'attachments' | 'raw_url' | 'links_expire_at'
> & {
  addresses: Addresses | null;
  headers: [string, string][] | null;
  attachments: Omit<ReceivedMail['attachments'][number], 'url'>[];
};

const detailColumns = `${summaryColumns}, m.helo, host(m.remote_ip) as remote_ip, m.tls, m.addresses, m.headers, m.message_id,
  m.in_reply_to, coalesce(m.reference_ids, '{}') as references, m.sent_at, m.text, m.html, m.text_reply, m.text_reply_confidence,
  m.is_truncated, m.authentication, m.automation, m.spam_score, m.parse_error, m.parsed_at, (
    select coalesce(jsonb_agg(jsonb_build_object('n', a.n, 'filename', a.filename, 'content_type', a.content_type,
      'content_id', a.content_id, 'disposition', a.disposition, 'size_bytes', a.size_bytes) order by a.n), '[]')
    from received_attachments a where a.received_mail_id = m.id
  ) as attachments`;

const nobody: Addresses = { from: [], to: [], cc: [], reply_to: [] };

export interface LinkMaker {
  links: ReceivedLinks;
  now: Date;
}

export async function getReceivedMail(
  db: Queryable,
  instanceId: number,
  { id, ...making }: LinkMaker & { id: string },
): Promise<ReceivedMail> {
  const [row] = await db.query<DetailRow & Record<string, unknown>>(
    `select ${detailColumns} from received_mails m where m.instance_id = $1 and m.id = $2 and ${nobodyBlocked('$1')}`,
    [instanceId, requireReceivedId(id)],
  );
  if (!row) throw new Problem('received_mail_not_found');
  return withLinks(row, making);
}

function withLinks(row: DetailRow, { links, now }: LinkMaker): ReceivedMail {
  const { addresses, headers, attachments, ...mail } = row;
  return {
    ...mail,
    ...(addresses ?? nobody),
    headers: (headers ?? []).map(([name, value]) => ({ name, value })),
    attachments: attachments.map((file) => ({ ...file, url: links.url({ id: row.id, n: file.n }, now) })),
    raw_url: links.url({ id: row.id, n: 'raw' }, now),
    links_expire_at: links.expiresAt(now),
  };
}

const form = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What is not an identifier names nothing. */
export function requireReceivedId(id: string): string {
  if (!isReceivedId(id)) throw new Problem('received_mail_not_found');
  return id;
}

export const isReceivedId = (id: string): boolean => form.test(id);

/** Marks it as read for everybody of the instance. */
export async function markReceivedRead(
  db: Queryable,
  instanceId: number,
  { id, now }: { id: string; now: Date },
): Promise<void> {
  const rows = await db.query(
    `update received_mails m set read_at = coalesce(m.read_at, $3) where m.instance_id = $1 and m.id = $2
       and ${nobodyBlocked('$1')} returning 1`,
    [instanceId, requireReceivedId(id), now],
  );
  if (rows.length === 0) throw new Problem('received_mail_not_found');
}
