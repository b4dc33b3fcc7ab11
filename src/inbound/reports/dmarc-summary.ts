import { Type, type Static } from 'typebox';
import type { Queryable } from '../../base/db/database.ts';
import type { DateRange } from '../../base/http/date-range.ts';
import { DateTime } from '../../base/http/schemas.ts';

const max_sources = 200;
const maxReporters = 50;
const Messages = (description: string) => Type.Integer({ description });

const counts = {
  messages: Messages('Messages that reporters saw.'),
  passed: Messages('Those that passed DMARC: DKIM or SPF was aligned.'),
  dkim_aligned: Messages('Those with a valid DKIM signature of an aligned domain.'),
  spf_aligned: Messages('Those for which SPF passed with an aligned domain.'),
  delivered: Messages('Those to which no policy was applied.'),
  quarantined: Messages('Those treated as suspicious.'),
  rejected: Messages('Those refused.'),
};

export const DmarcSummary = Type.Object({
  domain: Type.String(),
  from: DateTime('First moment of the period.'),
  until: DateTime('First moment after it.'),
  reports: Type.Integer({ description: 'Reports whose time began in the period.' }),
  totals: Type.Object(counts),
  sources: Type.Array(Type.Object({ source_ip: Type.String(), ...counts, reporters: Type.Integer() }), {
    description: `Who sent in the name of the domain, by messages, at most ${max_sources}.`,
  }),
  reporters: Type.Array(
    Type.Object({ org_name: Type.String(), reports: Type.Integer(), messages: Type.Integer() }),
    { description: `Who reported, by messages, at most ${maxReporters}.` },
  ),
});
export type DmarcSummary = Static<typeof DmarcSummary>;

const sums = `coalesce(sum(r.messages), 0)::bigint as messages,
  coalesce(sum(r.messages) filter (where r.dkim_aligned or r.spf_aligned), 0)::bigint as passed,
  coalesce(sum(r.messages) filter (where r.dkim_aligned), 0)::bigint as dkim_aligned,
  coalesce(sum(r.messages) filter (where r.spf_aligned), 0)::bigint as spf_aligned,
  coalesce(sum(r.messages) filter (where r.disposition = 'none'), 0)::bigint as delivered,
  coalesce(sum(r.messages) filter (where r.disposition = 'quarantine'), 0)::bigint as quarantined,
  coalesce(sum(r.messages) filter (where r.disposition = 'reject'), 0)::bigint as rejected`;

const period = `d.instance_id = $1 and d.domain_id = $2 and d.begins_at >= $3 and d.begins_at < $4`;

type Totals = DmarcSummary['totals'];

/** Sources, alignment and reporters of a domain. */
export async function summarizeDmarc(
  db: Queryable,
  instanceId: number,
  { id, domain, range }: { id: number; domain: string; range: DateRange },
): Promise<DmarcSummary> {
  const values = [instanceId, id, range.from, range.until];
  const [totals, sources, reporters] = await Promise.all([
    db.query<Totals>(
      `select ${sums} from dmarc_rows r join dmarc_reports d on d.id = r.dmarc_report_id where ${period}`,
      values,
    ),
    db.query<DmarcSummary['sources'][number]>(
      `select host(r.source_ip) as source_ip, ${sums}, count(distinct d.org_name)::integer as reporters
       from dmarc_rows r join dmarc_reports d on d.id = r.dmarc_report_id where ${period}
       group by r.source_ip order by messages desc, r.source_ip limit ${max_sources}`,
      values,
    ),
    db.query<DmarcSummary['reporters'][number] & { all_reports: number }>(
      `select d.org_name, count(*)::integer as reports, sum(count(*)) over ()::integer as all_reports,
         coalesce(sum((select sum(r.messages) from dmarc_rows r where r.dmarc_report_id = d.id)), 0)::bigint as messages
       from dmarc_reports d where ${period}
       group by d.org_name order by messages desc, d.org_name limit ${maxReporters}`,
      values,
    ),
  ]);
  return {
    domain,
    from: range.from,
    until: range.until,
    reports: reporters[0]?.all_reports ?? 0,
    totals: totals[0] as Totals,
    sources,
    reporters: reporters.map(({ org_name, reports, messages }) => ({ org_name, reports, messages })),
  };
}
