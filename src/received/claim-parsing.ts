import type { Queryable, Statement } from '../base/db/database.ts';
import { isLost, type ReleaseLeases } from '../base/engine/node.ts';
import { skipScan } from '../base/db/skip-scan.ts';
import type { Envelope } from './received-mail.ts';

/** A received mail that is leased to be parsed. */
export interface ClaimedMail extends Envelope {
  id: string;
  instance_id: number;
  source_id: string;
  recipient: string;
  size_bytes: number;
  is_sandbox: boolean;
  lease: string;
  /** Number of this attempt; the first is 1. */
  attempt: number;
}

export interface ParseClaim {
  lease: string;
  count: number;
  per_instance: number;
  lease_seconds: number;
  now: Date;
}

/** Instances with waiting mail that are looked at in one claim; the next one continues behind them. */
const instancesPerScan = 500;

/** A few of each instance, so that a flood delays nobody else. What is leased is due again when its lease ends. */
const claim: Statement = {
  name: 'received.claim_parsing',
  text: `
    with recursive ${skipScan({
      as: 'waiting',
      table: 'received_mails',
      columns: ['instance_id'],
      where: 'parse_due_at is not null',
      after: ['$1'],
    })}, scanned as materialized (
      select instance_id from waiting limit ${instancesPerScan}
    ), picked as (
      select due.id from scanned cross join lateral (
        select m.id from received_mails m where m.instance_id = scanned.instance_id and m.parse_due_at <= $2
        order by m.parse_due_at limit $3 for update skip locked
      ) as due limit $4
    ), taken as (
      update received_mails m set parse_lease = $5, parse_due_at = $2::timestamptz + $6 * interval '1 second',
        parse_attempts = m.parse_attempts + 1
      from picked where m.id = picked.id
      returning m.id, m.instance_id, m.source_id, m.recipient, m.size_bytes, m.is_sandbox, m.mail_from, m.helo,
        host(m.remote_ip) as remote_ip, m.tls, m.parse_attempts as attempt
    )
    select (select max(instance_id) from scanned) as last_instance, (select count(*) from scanned) as instances,
      (select coalesce(jsonb_agg(taken), '[]') from taken) as mails`,
};

interface ClaimRow {
  last_instance: number | null;
  instances: number;
  mails: Omit<ClaimedMail, 'lease'>[];
}

/** Each call continues where the one before ended. */
export function createParseClaim(
  db: Queryable,
): (wanted: ParseClaim) => Promise<{ mails: ClaimedMail[]; is_complete: boolean }> {
  let after = 0;
  return async ({ lease, count, per_instance, lease_seconds, now }) => {
    const [row] = await db.query<ClaimRow & Record<string, unknown>>(claim, [
      after,
      now,
      per_instance,
      count,
      lease,
      lease_seconds,
    ]);
    const mails = (row?.mails ?? []).map((mail) => ({ ...mail, lease }));
    const isFull = mails.length >= count;
    const isCut = row?.instances === instancesPerScan;
    const wasWhole = after === 0;
    if (isFull) after = Math.max(...mails.map(({ instance_id }) => instance_id));
    else after = isCut ? (row.last_instance ?? 0) : 0;
    return { mails, is_complete: wasWhole && !isFull && !isCut && mails.length === 0 };
  };
}

/** Sources by their identifiers. */
const sources: Statement = {
  name: 'received.load_sources',
  text: 'select id, raw from received_sources where id = any ($1::uuid[])',
};

export async function loadSources(db: Queryable, ids: string[]): Promise<Map<string, Buffer>> {
  const rows = await db.query<{ id: string; raw: Buffer }>(sources, [ids]);
  return new Map(rows.map(({ id, raw }) => [id, raw]));
}

/** What a dead node was parsing counts as an attempt: it may be why the node died. */
const release = `
  update received_mails set parse_lease = null, parse_due_at = now(),
    parse_attempts = parse_attempts - case when parse_lease = any ($2::uuid[]) then 1 else 0 end
  where parse_due_at is not null and ${isLost('parse_lease')}
  returning 1`;

export const releaseParseLeases: ReleaseLeases = async (tx, { nodes, leases }) =>
  (await tx.query(release, [nodes, leases])).length;
