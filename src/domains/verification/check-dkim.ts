import { clip, failed, VERIFIED } from './check-result.ts';
import type { CheckResult, Lookup } from './check-result.ts';
import type { DnsRecord } from './dns-records.ts';
import { cnameProblem, followCname } from './follow-cname.ts';

/** Half of a reason, so that both selectors fit. */
const MAX_PROBLEM = 148;

/** Both selectors must be published: one signs, the other is for rotation. */
export async function checkDkim(expected: DnsRecord[], lookup: Lookup): Promise<CheckResult> {
  const problems = await Promise.all(expected.map(async (record) => await problemOf(record, lookup)));
  const found = problems.filter((problem) => problem !== undefined);
  if (found.length === 0) return VERIFIED;
  return failed(found.map((problem) => (found.length > 1 ? clip(problem, MAX_PROBLEM) : problem)).join('; '));
}

async function problemOf({ host, value }: DnsRecord, lookup: Lookup): Promise<string | undefined> {
  const path = { from: host, target: value };
  const walk = await followCname(path, lookup);
  if (walk.kind === 'missing' && (await hasTxt(host, lookup)))
    return `${host} has a TXT record, but a copy of the key is not valid: it must be a CNAME to ${value}`;
  return cnameProblem(walk, path);
}

async function hasTxt(host: string, { resolver, signal }: Lookup): Promise<boolean> {
  return (await resolver.txt(host, { signal })).kind === 'found';
}
