import { storableText } from '../../base/db/storable-text.ts';
import type { Database, Queryable } from '../../base/db/database.ts';
import type { AggregateReport, AggregateRow } from '../../protocol/dmarc/read-aggregate.ts';

/** Anyone with a domain can send reports, so the number per day is bounded. */
export interface DmarcQuota {
  per_reporter: number;
  per_domain: number;
}

export interface ReportArrival {
  /** The authenticated organisational domain. */
  reporter: string;
  received_at: Date;
  quota: DmarcQuota;
}

interface OwnedDomain {
  instance_id: number;
  domain_id: number;
}

/** Instances whose domains the report is about, if they proved ownership. */
const findOwners = `
  select id as domain_id, instance_id, domain from domains
  where domain = any ($1) and deleted_at is null and not is_sandbox
    and (ownership_verified_at is not null or dkim_status = 'verified')
  order by id
  for no key update`;

/** Reports stored before reporters were authenticated have none. */
const findState = `
  select (
    select count(*) filter (where reporter = $2) < $4::int and count(*) < $5::int
    from dmarc_reports where domain_id = $1 and received_at > $3::timestamptz - interval '1 day'
  ) as has_room, exists (
    select from dmarc_reports where domain_id = $1 and reporter in ($2, '') and org_name = $6 and report_id = $7
  ) as is_known`;

const insertReport = `
  insert into dmarc_reports (instance_id, domain_id, org_name, report_id, begins_at, ends_at, policy, received_at,
    reporter)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict on constraint dmarc_reports_once do nothing
  returning id`;

const insertRows = `
  insert into dmarc_rows (dmarc_report_id, source_ip, header_from, disposition, dkim_aligned, spf_aligned, messages)
  select $1::bigint, * from unnest($2::inet[], $3::text[], $4::text[], $5::boolean[], $6::boolean[], $7::bigint[])`;

/**
 * Stores the report once for every instance that owns its domain and returns for how many it was new. If one of them
 * is over its quota, nothing is stored and the sender is to retry.
 */
export async function storeDmarcReport(
  db: Database,
  report: AggregateReport,
  arrival: ReportArrival,
): Promise<number | 'full'> {
  const names = [...new Set([report.domain, ...report.rows.map(({ header_from }) => header_from)])];
  return await db.transaction(async (tx) => {
    // Locks, so that concurrent reports are counted.
    const owned = await tx.query<OwnedDomain & { domain: string }>(findOwners, [names.slice(0, 1_000)]);
    const unknown: typeof owned = [];
    for (const holder of owned) {
      const { has_room, is_known } = await stateOf(tx, holder, { ...report, ...arrival });
      if (!has_room && !is_known) return 'full';
      if (!is_known) unknown.push(holder);
    }
    for (const { domain, ...holder } of unknown) {
      // A policy may cover subdomains, one of which may be registered here.
      const isWhole = domain === report.domain;
      const rows = isWhole ? report.rows : report.rows.filter(({ header_from }) => header_from === domain);
      await storeFor(tx, holder, { ...report, ...arrival, rows });
    }
    return unknown.length;
  });
}

async function stateOf(
  tx: Queryable,
  { domain_id }: OwnedDomain,
  { reporter, received_at, quota, ...report }: AggregateReport & ReportArrival,
): Promise<{ has_room: boolean; is_known: boolean }> {
  const names = [report.org_name, report.report_id].map(storableText);
  const values = [domain_id, reporter, received_at, quota.per_reporter, quota.per_domain, ...names];
  const [state] = await tx.query<{ has_room: boolean; is_known: boolean }>(findState, values);
  return state ?? { has_room: false, is_known: false };
}

async function storeFor(
  tx: Queryable,
  { instance_id, domain_id }: OwnedDomain,
  report: AggregateReport & ReportArrival,
): Promise<void> {
  const { begins_at, ends_at, policy, received_at, rows, reporter } = report;
  const names = [report.org_name, report.report_id].map(storableText);
  const values = [instance_id, domain_id, ...names, begins_at, ends_at, policy, received_at, reporter];
  const [row] = await tx.query<{ id: number }>(insertReport, values);
  if (!row) return;
  const column = <Name extends keyof AggregateRow>(name: Name) => rows.map((each) => each[name]);
  await tx.query(insertRows, [
    row.id,
    column('source_ip'),
    column('header_from'),
    column('disposition'),
    column('dkim_aligned'),
    column('spf_aligned'),
    column('count'),
  ]);
}
