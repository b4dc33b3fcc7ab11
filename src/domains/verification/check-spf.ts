import { failed, shown, unreadable, verifiedResult } from './check-result.ts';
import type { CheckResult, Lookup } from './check-result.ts';
import { mergeSpf } from './merge-spf.ts';
import { isSpfRecord, spfProblem } from './spf-record.ts';

export async function checkSpf(
  { host, include }: { host: string; include: string },
  { resolver, signal }: Lookup,
): Promise<CheckResult> {
  const outcome = await resolver.txt(host, { signal });
  if (outcome.kind === 'error') return failed(unreadable(`SPF (TXT of ${host})`, outcome.reason));
  const texts = outcome.kind === 'found' ? outcome.records : [];
  const found = texts.filter(isSpfRecord);
  const [record, ...others] = found;
  if (record === undefined)
    return failed({
      code: 'not_found',
      reason: `No SPF record found at ${host}; publish a TXT with include:${include}`,
    });
  if (others.length > 0)
    return failed({
      code: 'several_records',
      reason: `${others.length + 1} SPF records found at ${host}; only one may exist (RFC 7208)`,
      found,
      suggested: mergeSpf(found, include),
    });
  const problem = spfProblem(record, include);
  if (problem === undefined) return verifiedResult;
  return failed({
    ...problem,
    reason: `SPF found "${shown(record)}": ${problem.reason}`,
    found,
    suggested: mergeSpf(found, include),
  });
}
