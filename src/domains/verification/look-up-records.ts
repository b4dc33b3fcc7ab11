import type { Resolver } from '../../protocol/dns/client/resolver.ts';
import { platformNames } from '../zone/platform-names.ts';
import { dkimProblem } from './check-dkim.ts';
import { checkDmarc } from './check-dmarc.ts';
import { checkMx } from './check-mx.ts';
import {
  type CheckResult,
  type DnsProblemCode,
  failed,
  type Lookup,
  verifiedResult,
} from './check-result.ts';
import { checkSpf } from './check-spf.ts';
import { type DnsRecord, dnsRecordsFor, type DomainNames } from './dns-records.ts';
import { findZone, relativeName, type FoundZone } from './find-zone.ts';
import { cnameProblem, followCname } from './follow-cname.ts';
import { withinDeadline } from './within-deadline.ts';

export const recordPurposes = ['ownership', 'mx', 'spf', 'dkim', 'dmarc'] as const;
export type RecordPurpose = (typeof recordPurposes)[number];
export const lookedUpStatuses = ['found', 'not_found', 'wrong_value', 'unreadable'] as const;

export interface LookedUpRecord extends DnsRecord {
  purpose: RecordPurpose;
  /** Relative to the zone. */
  name: string;
  status: (typeof lookedUpStatuses)[number];
  problem: DnsProblemCode | null;
  reason: string | null;
  /** What DNS has in its place. */
  found: string[];
  /** Where the record was found with the zone twice in its name. */
  found_at: string | null;
  /** What to publish in place of what there is. */
  suggested_value: string | null;
}

export interface LookedUpRecords extends FoundZone {
  records: LookedUpRecord[];
}

interface Looking {
  names: DomainNames;
  lookup: Lookup;
}

type Check = (record: DnsRecord, looking: Looking) => Promise<CheckResult>;

/** The same checks as validation, record by record, with what helps to mend each. Stores nothing. */
export async function lookUpRecords(
  names: DomainNames,
  resolver: Resolver,
  { deadline_ms }: { deadline_ms: number },
): Promise<LookedUpRecords> {
  const { ownership_cname, mx, spf, dkim, dmarc } = dnsRecordsFor(names);
  const records = { ownership: [ownership_cname], mx: [mx], spf: [spf], dkim, dmarc: [dmarc] };
  return await withinDeadline(deadline_ms, async (signal) => {
    const looking = { names, lookup: { resolver, signal } };
    const zone = findZone(names.domain, looking.lookup);
    const looked = recordPurposes.flatMap((purpose) =>
      records[purpose].map(async (record) => await lookUp(purpose, record, { ...looking, zone })),
    );
    return { ...(await zone), records: await Promise.all(looked) };
  });
}

async function lookUp(
  purpose: RecordPurpose,
  record: DnsRecord,
  { zone: finding, ...looking }: Looking & { zone: Promise<FoundZone> },
): Promise<LookedUpRecord> {
  const [result, { zone }] = await Promise.all([checks[purpose](record, looking), finding]);
  const shown = { ...record, purpose, name: relativeName(record.host, zone) };
  if (result.status === 'verified') return { ...shown, ...nothingWrong, found: [] };
  const { code, reason } = result;
  const doubled = { ...record, host: `${record.host}.${zone}` };
  const isDoubled = code === 'not_found' && (await checks[purpose](doubled, looking)).status === 'verified';
  return {
    ...shown,
    status: code === 'not_found' || code === 'unreadable' ? code : 'wrong_value',
    problem: code,
    reason,
    found: result.found,
    found_at: isDoubled ? doubled.host : null,
    suggested_value: result.suggested ?? null,
  };
}

const nothingWrong = {
  status: 'found',
  problem: null,
  reason: null,
  found_at: null,
  suggested_value: null,
} as const;

const checks: Record<RecordPurpose, Check> = {
  ownership: async ({ host, value }, { lookup }) => {
    const path = { from: host, target: value };
    const problem = cnameProblem(await followCname(path, lookup), path);
    return problem === undefined ? verifiedResult : failed(problem);
  },
  mx: async (record, { lookup }) => await checkMx(record, lookup),
  spf: async ({ host }, { names, lookup }) =>
    await checkSpf({ host, include: platformNames(names.platform_domain).spf }, lookup),
  dkim: async (record, { lookup }) => {
    const problem = await dkimProblem(record, lookup);
    return problem === undefined ? verifiedResult : failed(problem);
  },
  dmarc: async ({ host }, { names, lookup }) =>
    await checkDmarc({ host, mailbox: platformNames(names.platform_domain).dmarc_mailbox }, lookup),
};
