import { BoundedMap } from '../../bounded-map.ts';
import type { RecordData, RecordType } from './read-records.ts';
import type { Lookup, LookUp } from './record-lookup.ts';

type Seconds = readonly [shortest: number, longest: number];

// A record of TTL 0 still serves the mails of the same moment; a mended one is seen within the hour.
const foundSeconds: Seconds = [5, 3600];
// A domain that was just set up should not bounce for long.
const missingSeconds: Seconds = [5, 60];
// RFC 2308 §7 allows five minutes; deferred mail comes back in one.
const errorSeconds = 10;

/** Remembers answers for as long as they say, within bounds; callers of one name at a time share one question. */
export function createLookupCache(lookUp: LookUp, { max_entries = 20_000 } = {}): LookUp {
  const known = new BoundedMap<string, Lookup<unknown>>({ max_entries, evicts: 'least_recently_used' });
  const underWay = new Map<string, Promise<Lookup<unknown>>>();

  async function ask(key: string, question: { name: string; type: RecordType }): Promise<Lookup<unknown>> {
    try {
      const lookup = await lookUp(question.name, question.type);
      known.set(key, lookup, keepSeconds(lookup) * 1000);
      return lookup;
    } finally {
      underWay.delete(key);
    }
  }

  async function get(name: string, type: RecordType): Promise<Lookup<unknown>> {
    const key = `${type} ${name.toLowerCase()}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const asked = underWay.get(key) ?? ask(key, { name, type });
    underWay.set(key, asked);
    return await asked;
  }

  return async <T extends RecordType>(name: string, type: T) =>
    (await get(name, type)) as Lookup<RecordData[T]>;
}

function keepSeconds(lookup: Lookup<unknown>): number {
  if (lookup.kind === 'error') return errorSeconds;
  const [shortest, longest] = lookup.kind === 'found' ? foundSeconds : missingSeconds;
  return Math.min(longest, Math.max(shortest, lookup.ttl_seconds));
}
