import { isReservedName } from '../../protocol/dns/reserved-names.ts';
import { clip, failed, shown, unreadable, verifiedResult } from './check-result.ts';
import type { CheckResult, FoundProblem, Lookup } from './check-result.ts';
import type { DnsRecord } from './dns-records.ts';
import { cnameProblem, followCname } from './follow-cname.ts';

/** Half of a reason, so that both selectors fit. */
const maxProblem = 148;

/** Both selectors must be published: one signs, the other is for rotation. */
export async function checkDkim(expected: DnsRecord[], lookup: Lookup): Promise<CheckResult> {
  const problems = await Promise.all(expected.map(async (record) => await dkimProblem(record, lookup)));
  const found = problems.filter((problem) => problem !== undefined);
  const [first] = found;
  if (first === undefined) return verifiedResult;
  const reasons = found.map(({ reason }) => (found.length > 1 ? clip(reason, maxProblem) : reason));
  return failed({ ...first, reason: reasons.join('; ') });
}

/** Of one selector. */
export async function dkimProblem(
  { host, value }: DnsRecord,
  lookup: Lookup,
): Promise<FoundProblem | undefined> {
  const path = { from: host, target: value };
  const walk = await followCname(path, lookup);
  if (walk.kind === 'missing' && (await hasTxt(host, lookup))) {
    const reason = `${host} has a TXT record, but a copy of the key is not valid: it must be a CNAME to ${value}`;
    return { code: 'dkim_key_copied', reason };
  }
  return cnameProblem(walk, path) ?? (await keyProblem(value, lookup));
}

/**
 * The CNAME is not enough: while the platform's zone is not delegated, receivers find no key and every signature
 * fails. A reserved zone, which cannot be delegated, is for trying things out.
 */
async function keyProblem(target: string, { resolver, signal }: Lookup): Promise<FoundProblem | undefined> {
  if (isReservedName(target)) return undefined;
  const outcome = await resolver.txt(target, { signal });
  if (outcome.kind === 'error') return unreadable(`The key at ${target}`, outcome.reason);
  if (outcome.kind === 'missing') {
    const reason = `The CNAME is right, but ${target} has no key: the platform's zone is not delegated, which its operator has to do`;
    return { code: 'dkim_key_missing', reason };
  }
  if (outcome.records.some((record) => /^\s*v\s*=\s*DKIM1\s*(;|$)/.test(record))) return undefined;
  const reason = `The CNAME is right, but ${target} says "${shown(outcome.records[0] ?? '')}", which is not a DKIM key`;
  return { code: 'dkim_key_invalid', reason, found: outcome.records };
}

async function hasTxt(host: string, { resolver, signal }: Lookup): Promise<boolean> {
  return (await resolver.txt(host, { signal })).kind === 'found';
}
