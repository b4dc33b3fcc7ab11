import { storableText } from '../base/db/storable-text.ts';
import type { Database, Queryable } from '../base/db/database.ts';
import type { AggregateReport, AggregateRow } from '../protocol/dmarc/read-aggregate.ts';

/** Anybody can write a report: what one domain takes in a day has an end. */
const most_per_day = 1_000;

interface Held {
  instance_id: number;
  domain_id: number;
}

/** The instances for whose domains the report speaks; those of which DNS has not shown that they are theirs get nothing. */
const findHeld = `
  select id as domain_id, instance_id, domain from domains
  where domain = any ($1) and deleted_at is null and not is_sandbox
    and (ownership_verified_at is not null or dkim_status = 'verified')`;

const insertReport = `
  insert into dmarc_reports (instance_id, domain_id, org_name, report_id, begins_at, ends_at, policy, received_at)
  select $1::bigint, $2::bigint, $3::text, $4::text, $5::timestamptz, $6::timestamptz, $7::text, $8::timestamptz
  where (select count(*) from dmarc_reports where domain_id = $2::bigint and received_at > $8::timestamptz - interval '1 day')
    < ${most_per_day}
  on conflict on constraint dmarc_reports_once do nothing
  returning id`;

const insertRows = `
  insert into dmarc_rows (dmarc_report_id, source_ip, header_from, disposition, dkim_aligned, spf_aligned, messages)
  select $1::bigint, * from unnest($2::inet[], $3::text[], $4::text[], $5::boolean[], $6::boolean[], $7::bigint[])`;

/** Keeps the report for every instance that holds its domain, once; tells for how many it was new. */
export async function storeDmarcReport(db: Database, report: AggregateReport, now: Date): Promise<number> {
  const names = [...new Set([report.domain, ...report.rows.map(({ header_from }) => header_from)])];
  return await db.transaction(async (tx) => {
    const held = await tx.query<Held & { domain: string }>(findHeld, [names.slice(0, 1_000)]);
    let stored = 0;
    for (const { domain, ...holder } of held) {
      // A policy may speak for the names below its domain, of which one may be held here.
      const isWhole = domain === report.domain;
      const rows = isWhole ? report.rows : report.rows.filter(({ header_from }) => header_from === domain);
      if (await storeFor(tx, holder, { ...report, rows, received_at: now })) stored += 1;
    }
    return stored;
  });
}

async function storeFor(
  tx: Queryable,
  { instance_id, domain_id }: Held,
  report: AggregateReport & { received_at: Date },
): Promise<boolean> {
  const { begins_at, ends_at, policy, received_at, rows } = report;
  const names = [report.org_name, report.report_id].map(storableText);
  const values = [instance_id, domain_id, ...names, begins_at, ends_at, policy, received_at];
  const [row] = await tx.query<{ id: number }>(insertReport, values);
  if (!row) return false;
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
  return true;
}
