import { addressKey } from '../base/db/address-key.ts';
import { notBlocked } from '../base/db/blocked-contacts.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { isStanding } from '../restrictions/index.ts';

type RecordStatus = 'pending' | 'verified' | 'failed' | 'revoked';

/** How things stand with a mail, and with everything that decides upon it. */
export interface MailFacts {
  /** The database's time, which all ages are relative to. */
  now: Date;
  mail_id: string;
  status: number;
  recipient: string;
  destination: string;
  sender: string;
  received_at: Date;
  schedule_at: Date | null;
  sent_at: Date | null;
  opens: number;
  clicks: number;
  timezone: string;
  is_enabled: boolean;
  attachment_limit_bytes: number;
  consent_purpose_id: number | null;
  tracks_opens: boolean;
  domain: DomainFacts | null;
  queued: QueuedFacts | null;
  paused_at: Date | null;
  restriction: { reason: string; at: Date } | null;
  /** Of the recipient, from broadcast mail in general. */
  unsubscribed_at: Date | null;
  /** With this very mail. */
  unsubscribed_with_it_at: Date | null;
  complaint: string | null;
  is_delivery_running: boolean;
  /** Whether nothing about the recipient is to be shown. */
  is_blocked: boolean;
}

interface DomainFacts {
  domain: string;
  ownership_token: string;
  statuses: Record<'mx' | 'spf' | 'dkim' | 'dmarc', RecordStatus>;
  check_reasons: Partial<Record<string, string>>;
  validated_at: Date | null;
}

interface QueuedFacts {
  due_at: Date;
  is_under_way: boolean;
  last_error: string | null;
}

/** A node without a heartbeat for this long is taken for dead, as `base/engine/` does by default. */
const deadAfter = "interval '90 seconds'";

const select: Statement = {
  name: 'explain.read_mail',
  text: `
  select now() as now, m.mail_id, m.status, m.recipient, split_part(m.recipient, '@', -1) as destination,
    m.sender_email as sender, m.received_at, m.schedule_at, m.sent_at, m.opens, m.clicks, i.timezone, i.is_enabled, i.attachment_limit_bytes,
    coalesce(g.consent_purpose_id, s.consent_purpose_id) as consent_purpose_id, coalesce(s.track_opens, false) and not coalesce(g.envelope -> 'untracked' ? 'opens', false) as tracks_opens,
    d.domain, d.ownership_token, d.mx_status, d.spf_status, d.dkim_status, d.dmarc_status, d.check_reasons,
    d.last_verification_at, q.due_at, q.lease is not null and q.due_at > now() as is_under_way, q.last_error, p.paused_at,
    r.reason as restriction, r.created_at as restricted_at, c.type as complaint, w.unsubscribed_at as unsubscribed_with_it_at,
    (select u.unsubscribed_at from unsubscribes u where u.instance_id = m.instance_id
       and u.recipient_key = ${addressKey('m.recipient')} and ${isStanding('coalesce(g.consent_purpose_id, s.consent_purpose_id)')}
     order by u.unsubscribed_at desc limit 1) as unsubscribed_at,
    exists (select from nodes n where 'delivery' = any (n.roles) and n.seen_at > now() - ${deadAfter}) as is_delivery_running,
    not ${notBlocked(addressKey('m.recipient'), '$2')} as is_blocked
  from mails m join instances i on i.id = m.instance_id
  left join messages g on g.msg_id = m.msg_id
  left join senders s on s.id = m.sender_id
  left join domains d on d.id = s.domain_id
  left join queue q on q.mail_id = m.mail_id
  left join paused_destinations p on p.instance_id = m.instance_id and p.destination = q.destination
  left join restrictions r on r.instance_id = m.instance_id and r.recipient_key = ${addressKey('m.recipient')}
  left join complaints c on c.mail_id = m.mail_id
  left join unsubscribes w on w.mail_id = m.mail_id and w.resubscribed_at is null
  where m.mail_id = $1 and m.instance_id = $2`,
};

interface Row extends Omit<MailFacts, 'domain' | 'queued' | 'restriction'> {
  domain: string | null;
  ownership_token: string;
  mx_status: RecordStatus;
  spf_status: RecordStatus;
  dkim_status: RecordStatus;
  dmarc_status: RecordStatus;
  check_reasons: Partial<Record<string, string>>;
  last_verification_at: Date | null;
  due_at: Date | null;
  is_under_way: boolean;
  last_error: string | null;
  restriction: string | null;
  restricted_at: Date;
  [column: string]: unknown;
}

export async function readMail(db: Queryable, instanceId: number, mailId: string): Promise<MailFacts> {
  const [row] = await db.query<Row>(select, [mailId, instanceId]);
  if (!row) throw new Problem('mail_not_found');
  const { due_at, is_under_way, last_error, restriction } = row;
  return {
    ...row,
    domain: domainOf(row),
    queued: due_at === null ? null : { due_at, is_under_way, last_error },
    restriction: restriction === null ? null : { reason: restriction, at: row.restricted_at },
  };
}

function domainOf(row: Row): DomainFacts | null {
  const { domain, ownership_token, check_reasons, last_verification_at: validated_at } = row;
  if (domain === null) return null;
  const statuses = {
    mx: row.mx_status,
    spf: row.spf_status,
    dkim: row.dkim_status,
    dmarc: row.dmarc_status,
  };
  return { domain, ownership_token, statuses, check_reasons, validated_at };
}
