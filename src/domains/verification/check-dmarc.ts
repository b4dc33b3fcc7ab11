import { failed, shown, unreadable, verifiedResult } from './check-result.ts';
import type { CheckResult, DnsProblemCode, Lookup } from './check-result.ts';
import { dmarcProblem, isDmarcRecord } from './dmarc-record.ts';
import type { DmarcProblem } from './dmarc-record.ts';

const maxSuggested = 500;

/** Any record with a valid `rua`. */
export async function checkDmarc(
  { host, mailbox }: { host: string; mailbox: string },
  { resolver, signal }: Lookup,
): Promise<CheckResult> {
  const outcome = await resolver.txt(host, { signal });
  if (outcome.kind === 'error') return failed(unreadable(`DMARC (TXT of ${host})`, outcome.reason));
  const texts = outcome.kind === 'found' ? outcome.records : [];
  const found = texts.filter(isDmarcRecord);
  const [record, ...others] = found;
  if (record === undefined)
    return failed({
      code: texts.length === 0 ? 'not_found' : 'wrong_value',
      reason: `No DMARC record found at ${host}${insteadOf(texts)}`,
      found: texts,
    });
  if (others.length > 0)
    return failed({
      code: 'several_records',
      reason: `${others.length + 1} DMARC records found at ${host}; only one may exist (RFC 9989)`,
      found,
    });
  const problem = dmarcProblem(record);
  if (problem === undefined) return verifiedResult;
  return failed({
    code: codes[problem.kind],
    reason: `DMARC at ${host} found "${shown(record)}": ${explain(problem)}`,
    found,
    suggested: problem.kind === 'rua_missing' ? withReports(record, mailbox) : undefined,
  });
}

const codes: Record<DmarcProblem['kind'], DnsProblemCode> = {
  tag_repeated: 'dmarc_tag_repeated',
  rua_missing: 'dmarc_rua_missing',
  rua_invalid: 'dmarc_rua_invalid',
};

/** The published policy with an address for reports. Only of what is for copying: printable and short. */
function withReports(record: string, mailbox: string): string | undefined {
  if (record.length > maxSuggested || !/^[\x20-\x7e]+$/.test(record)) return undefined;
  return `${record.trim().replace(/;$/, '')}; rua=mailto:${mailbox}`;
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
    case 'rua_missing':
      return 'it has no rua address for reports';
    case 'rua_invalid':
      return 'its rua has no valid mailto: address';
    default:
      return problem satisfies never;
  }
}
