import type { RecordSet, Zone } from './zone.ts';

/** A zone held in memory; names between the origin and a name with records exist without records. */
export function createMemoryZone(origin: string, records: Record<string, RecordSet[]>): Zone {
  const names = new Map<string, RecordSet[]>();
  for (const [name, sets] of Object.entries(records)) {
    names.set(name, sets);
    for (const parent of namesAbove(name, origin)) if (!names.has(parent)) names.set(parent, []);
  }
  return {
    origin,
    soa: {
      type: 'SOA',
      ttl: 3600,
      records: [
        {
          mname: `ns1.${origin}`,
          rname: `hostmaster.${origin}`,
          serial: 1,
          refresh: 3600,
          retry: 600,
          expire: 1_209_600,
          minimum: 300,
        },
      ],
    },
    ns: { type: 'NS', ttl: 3600, records: [`ns1.${origin}`, `ns2.${origin}`] },
    lookup: async (name) => await Promise.resolve(names.get(name)),
  };
}

function namesAbove(name: string, origin: string): string[] {
  const inner = name.slice(0, -origin.length - 1).split('.');
  return inner.slice(1).map((_label, index) => `${inner.slice(index + 1).join('.')}.${origin}`);
}
