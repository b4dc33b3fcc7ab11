import type { Resolver } from '../../protocol/dns/client/resolver.ts';
import { platformNames } from '../zone/platform-names.ts';
import { checkDkim } from './check-dkim.ts';
import { checkDmarc } from './check-dmarc.ts';
import { checkMx } from './check-mx.ts';
import { boundedReason } from './check-result.ts';
import type { CheckResult, Lookup } from './check-result.ts';
import { checkSpf } from './check-spf.ts';
import { dnsRecordsFor } from './dns-records.ts';
import type { DnsRecord, DomainNames } from './dns-records.ts';
import { cnameProblem, followCname } from './follow-cname.ts';
import { withinDeadline } from './within-deadline.ts';

export interface DomainToCheck extends DomainNames {
  /** False once ownership is proven. */
  check_ownership: boolean;
}

export interface OwnershipResult {
  verified: boolean;
  reason: string | null;
}

export interface DomainCheck {
  mx: CheckResult;
  spf: CheckResult;
  dkim: CheckResult;
  dmarc: CheckResult;
  ownership: OwnershipResult | null;
}

/** Runs all checks concurrently and independently; what is not answered by the deadline is failed. */
export async function checkDomain(
  domain: DomainToCheck,
  resolver: Resolver,
  { deadline_ms }: { deadline_ms: number },
): Promise<DomainCheck> {
  const records = dnsRecordsFor(domain);
  const { spf: include, dmarc_mailbox: mailbox } = platformNames(domain.platform_domain);
  return await withinDeadline(deadline_ms, async (signal) => {
    const lookup: Lookup = { resolver, signal };
    const [mx, spf, dkim, dmarc, ownership] = await Promise.all([
      checkMx(records.mx, lookup),
      checkSpf({ host: records.spf.host, include }, lookup),
      checkDkim(records.dkim, lookup),
      checkDmarc({ host: records.dmarc.host, mailbox }, lookup),
      domain.check_ownership ? checkOwnership(records.ownership_cname, lookup) : null,
    ]);
    return { mx, spf, dkim, dmarc, ownership };
  });
}

async function checkOwnership({ host, value }: DnsRecord, lookup: Lookup): Promise<OwnershipResult> {
  const path = { from: host, target: value };
  const problem = cnameProblem(await followCname(path, lookup), path);
  return {
    verified: problem === undefined,
    reason: problem === undefined ? null : boundedReason(problem.reason),
  };
}
