import { isIPv4, isIPv6 } from 'node:net';
import type { DnsOutcome, Resolver } from '../../protocol/dns/client/resolver.ts';

export type LookUp = (name: string, type: string) => Promise<string[] | string[][]>;

/** Adapts our resolver to mailauth (`dns.promises.resolve`). PTR is not supported. */
export function lookUpWith(resolver: Resolver): LookUp {
  return async (name, type): Promise<string[] | string[][]> => {
    if (type === 'TXT') return found(await resolver.txt(name)).map((text) => [text]);
    if (type === 'MX') return found(await resolver.mx(name)) as unknown as string[];
    if (type === 'A') return found(await resolver.addresses(name)).filter((each) => isIPv4(each));
    if (type === 'AAAA') return found(await resolver.addresses(name)).filter((each) => isIPv6(each));
    return found<string>({ kind: 'missing' });
  };
}

function found<T>(outcome: DnsOutcome<T>): T[] {
  if (outcome.kind === 'found') return outcome.records;
  const code = outcome.kind === 'missing' ? 'ENOTFOUND' : 'ESERVFAIL';
  throw Object.assign(new Error(`DNS: ${outcome.kind}`), { code });
}
