import { failed, shown, troubleReason, VERIFIED } from './check-result.ts';
import type { CheckResult, Lookup } from './check-result.ts';
import { dmarcProblem, isDmarcRecord } from './dmarc-record.ts';
import type { DmarcProblem } from './dmarc-record.ts';

/** Any policy with a valid `rua`. */
export async function checkDmarc(host: string, { resolver, signal }: Lookup): Promise<CheckResult> {
  const outcome = await resolver.txt(host, { signal });
  if (outcome.kind === 'trouble') return failed(troubleReason(`DMARC (TXT of ${host})`, outcome.reason));
  const texts = outcome.kind === 'found' ? outcome.records : [];
  const [record, ...others] = texts.filter(isDmarcRecord);
  if (record === undefined) return failed(`No DMARC record found at ${host}${insteadOf(texts)}`);
  if (others.length > 0)
    return failed(`${others.length + 1} DMARC records found at ${host}; only one may exist (RFC 7489)`);
  const problem = dmarcProblem(record);
  return problem === undefined
    ? VERIFIED
    : failed(`DMARC at ${host} found "${shown(record)}": ${explain(problem)}`);
}

function insteadOf([first]: string[]): string {
  return first === undefined
    ? '; publish a TXT that begins with v=DMARC1'
    : `: the TXT "${shown(first)}" does not begin with v=DMARC1`;
}

function explain(problem: DmarcProblem): string {
  switch (problem.kind) {
    case 'tag_repeated':
      return `the tag ${shown(problem.tag)} occurs twice`;
    case 'policy_missing':
      return 'it has no policy (p=none, p=quarantine or p=reject)';
    case 'policy_unknown':
      return `p=${shown(problem.value)} is not none, quarantine or reject`;
    case 'rua_missing':
      return 'it has no rua address for reports';
    case 'rua_invalid':
      return 'its rua has no valid mailto: address';
    default:
      return problem satisfies never;
  }
}
