import { parseAnnouncement, parsePolicy, type MtaStsPolicy } from './parse-policy.ts';
import type { DnsOutcome } from '../dns/client/resolver.ts';
import type { FetchedPolicy } from './fetch-policy.ts';

export interface PolicyStoreOptions {
  txt: (name: string) => Promise<DnsOutcome<string>>;
  fetchPolicy: (domain: string) => Promise<FetchedPolicy>;
  clock: { now(): Date };
  max_entries?: number;
}

export interface PolicyStore {
  /** The policy that binds a delivery to the domain at this moment; undefined if no policy binds it. */
  policyFor(domain: string): Promise<MtaStsPolicy | undefined>;
}

interface Known {
  /** Undefined: the domain has none, or none that could be fetched. */
  policy: MtaStsPolicy | undefined;
  /** The id under which the policy was fetched or, without a policy, under which fetching failed. */
  id: string | undefined;
  fetched_at: number;
  expires_at: number;
  /** Until then neither DNS nor the web server is asked again. */
  check_at: number;
}

const checkEveryMs = 5 * 60_000;
/** RFC 8461 §3.3 asks for a delay after a failed fetch. */
const afterFailureMs = 10 * 60_000;
/** RFC 8461 §10.2: refreshed daily, so that an attacker who blocks the fetch has to do so for all of max_age. */
const refreshAfterMs = 24 * 60 * 60_000;

/** Keeps the policies of domains for as long as they say (RFC 8461 §3.3, §5.1), and learns of new ones. */
export function createPolicyStore(options: PolicyStoreOptions): PolicyStore {
  const { clock, max_entries = 50_000 } = options;
  const known = new Map<string, Known>();
  const underWay = new Map<string, Promise<Known>>();

  async function refresh(domain: string, before: Known | undefined): Promise<Known> {
    const txt = await options.txt(`_mta-sts.${domain}`);
    const now = clock.now().getTime();
    const kept = before !== undefined && now < before.expires_at ? before : nothing;
    const id = txt.kind === 'found' ? parseAnnouncement(txt.records) : undefined;
    // Who can suppress our DNS must not be able to end a policy: it binds until it expires.
    if (id === undefined || !isDue(kept, id, now)) return { ...kept, check_at: now + checkEveryMs };
    const fetched = await options.fetchPolicy(domain);
    const policy = fetched.kind === 'fetched' ? parsePolicy(fetched.text) : undefined;
    if (policy === undefined) return { ...kept, check_at: now + afterFailureMs };
    // A policy of no duration still serves until the next check, lest every mail fetch it.
    const expires_at = now + Math.max(policy.max_age_seconds * 1000, checkEveryMs);
    return { policy, id, fetched_at: now, expires_at, check_at: now + checkEveryMs };
  }

  async function learn(domain: string): Promise<Known> {
    try {
      const learned = await refresh(domain, known.get(domain));
      known.delete(domain);
      known.set(domain, learned);
      if (known.size > max_entries) forgetOne(known);
      return learned;
    } finally {
      underWay.delete(domain);
    }
  }

  return {
    async policyFor(domain) {
      const key = domain.toLowerCase();
      const now = clock.now().getTime();
      const entry = known.get(key);
      // Further away than any check is one of a clock that was set back since.
      const isChecked = entry && now < entry.check_at && now >= entry.check_at - afterFailureMs;
      if (isChecked && (entry.policy === undefined || now < entry.expires_at)) return entry.policy;
      const learning = underWay.get(key) ?? learn(key);
      underWay.set(key, learning);
      return (await learning).policy;
    },
  };
}

const nothing: Known = { policy: undefined, id: undefined, fetched_at: 0, expires_at: Infinity, check_at: 0 };

function isDue(kept: Known, id: string, now: number): boolean {
  if (kept.policy === undefined || kept.id !== id) return true;
  const halfLife = (kept.expires_at - kept.fetched_at) / 2;
  return now - kept.fetched_at >= Math.min(refreshAfterMs, halfLife);
}

/** Domains without a policy make room first: forgetting a policy opens the way to a downgrade. */
function forgetOne(known: Map<string, Known>): void {
  const oldest = known.entries().take(100).toArray();
  const [domain] = oldest.find(([, { policy }]) => policy === undefined) ?? oldest[0] ?? [];
  if (domain !== undefined) known.delete(domain);
}
