import assert from 'node:assert/strict';
import type { Domain } from '../../src/domains/domain-schemas.ts';
import { createResolver } from '../../src/protocol/dns/client/resolver.ts';
import type { DnsServer } from './dns-server.ts';

type Published = Pick<Domain, 'dns_records'>;

/** What the owner of a domain publishes: what `domain create` printed. */
export function publishRecords(world: DnsServer, { dns_records }: Published): void {
  const { mx, spf, dkim, dmarc, ownership_cname } = dns_records;
  for (const { host, type, value, priority } of [mx, spf, ...dkim, dmarc, ownership_cname])
    world.set(host, type as 'CNAME', [type === 'MX' ? `${priority ?? 10} ${value}` : value]);
}

/** What the delegation does: the world sees the keys that role dns publishes. */
export async function delegateKeys(
  world: DnsServer,
  { dns_records: { dkim } }: Published,
  roleDns: string,
): Promise<void> {
  const ours = createResolver({ servers: [roleDns], timeout_ms: 4_000 });
  for (const { value } of dkim) {
    const answer = await ours.txt(value);
    assert.equal(answer.kind, 'found', value);
    if (answer.kind === 'found') world.set(value, 'TXT', answer.records);
  }
}
