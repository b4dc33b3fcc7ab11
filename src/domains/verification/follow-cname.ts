import type { DnsError } from '../../protocol/dns/client/dns-exchange.ts';
import { canonicalName, shown, unreadable } from './check-result.ts';
import type { FoundProblem, Lookup } from './check-result.ts';

const maxHops = 8;

export type CnameWalk =
  | { kind: 'reached' }
  | { kind: 'missing' }
  | { kind: 'elsewhere'; last: string }
  | { kind: 'loop'; at: string }
  | { kind: 'too_long' }
  | { kind: 'error'; at: string; reason: DnsError };

/** Follows CNAMEs from a name to the target. */
export async function followCname(
  { from, target }: { from: string; target: string },
  { resolver, signal }: Lookup,
): Promise<CnameWalk> {
  const seen = new Set<string>();
  let name = canonicalName(from);
  for (let hop = 0; hop < maxHops; hop += 1) {
    seen.add(name);
    const outcome = await resolver.cname(name, { signal });
    if (outcome.kind === 'error') return { kind: 'error', at: name, reason: outcome.reason };
    const next = outcome.kind === 'found' ? outcome.records[0] : undefined;
    if (next === undefined) return hop === 0 ? { kind: 'missing' } : { kind: 'elsewhere', last: name };
    name = canonicalName(next);
    if (name === canonicalName(target)) return { kind: 'reached' };
    if (seen.has(name)) return { kind: 'loop', at: name };
  }
  return { kind: 'too_long' };
}

/** Undefined when the target was reached. */
export function cnameProblem(
  walk: CnameWalk,
  { from, target }: { from: string; target: string },
): FoundProblem | undefined {
  switch (walk.kind) {
    case 'reached':
      return undefined;
    case 'missing':
      return { code: 'not_found', reason: `No CNAME record found at ${from}; it must be ${target}` };
    case 'error':
      return unreadable(`CNAME of ${shown(walk.at)}`, walk.reason);
    case 'elsewhere': {
      const reason = `CNAME ${from} leads to ${shown(walk.last)}, which is not ${target}`;
      return { code: 'wrong_value', reason, found: [walk.last] };
    }
    case 'loop': {
      const reason = `CNAME ${from} goes in a circle at ${shown(walk.at)} and never reaches ${target}`;
      return { code: 'cname_loop', reason, found: [walk.at] };
    }
    case 'too_long': {
      const reason = `CNAME ${from} does not reach ${target} within ${maxHops} steps`;
      return { code: 'cname_too_long', reason };
    }
    default:
      return walk satisfies never;
  }
}
