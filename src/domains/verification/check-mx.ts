import type { MxRecord } from '../../protocol/dns/client/resolver.ts';
import { canonicalName, failed, shown, unreadable, verifiedResult } from './check-result.ts';
import type { CheckResult, Lookup } from './check-result.ts';
import type { DnsRecord } from './dns-records.ts';

/** Bounces come back only if every MX is the platform's; the preference does not matter then. */
export async function checkMx(expected: DnsRecord, { resolver, signal }: Lookup): Promise<CheckResult> {
  const outcome = await resolver.mx(expected.host, { signal });
  if (outcome.kind === 'error') return failed(unreadable(`MX of ${expected.host}`, outcome.reason));
  if (outcome.kind === 'missing')
    return failed({
      code: 'not_found',
      reason: `No MX record found at ${expected.host}; it must be ${expected.value}`,
    });
  const foreign = outcome.records.filter(
    (record) => canonicalName(record.exchange) !== canonicalName(expected.value),
  );
  const [first, ...others] = foreign.toSorted((a, b) => a.priority - b.priority);
  if (first === undefined) return verifiedResult;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return failed({
    code: 'wrong_value',
    reason: `MX found ${describe(first)}${more}, which is not ${expected.value}`,
    found: foreign.map(({ exchange, priority }) => `${priority} ${exchange === '' ? '.' : exchange}`),
  });
}

function describe({ exchange, priority }: MxRecord): string {
  if (exchange === '' || exchange === '.') return '"." (the null MX, which accepts no mail)';
  return `${shown(exchange)} (priority ${priority})`;
}
