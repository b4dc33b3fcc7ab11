import { isReservedName } from '../../protocol/dns/reserved-names.ts';
import { clip, failed, shown, troubleReason, VERIFIED } from './check-result.ts';
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
  return cnameProblem(walk, path) ?? (await keyProblem(value, lookup));
}

/**
 * The CNAME alone is not enough: while the platform's zone is not delegated, receivers find no key and every signature
 * fails. A reserved zone, which cannot be delegated, is for trying things out.
 */
async function keyProblem(target: string, { resolver, signal }: Lookup): Promise<string | undefined> {
  if (isReservedName(target)) return undefined;
  const outcome = await resolver.txt(target, { signal });
  if (outcome.kind === 'trouble') return troubleReason(`The key at ${target}`, outcome.reason);
  if (outcome.kind === 'missing')
    return `The CNAME is right, but ${target} has no key: the platform's zone is not delegated, which its operator has to do`;
  if (outcome.records.some((record) => /^\s*v\s*=\s*DKIM1\s*(;|$)/.test(record))) return undefined;
  return `The CNAME is right, but ${target} says "${shown(outcome.records[0] ?? '')}", which is no DKIM key`;
}

async function hasTxt(host: string, { resolver, signal }: Lookup): Promise<boolean> {
  return (await resolver.txt(host, { signal })).kind === 'found';
}
