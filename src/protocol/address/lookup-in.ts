import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** A lookup that only returns addresses that were checked: a second one may return others (DNS rebinding). */
export function lookupIn(addresses: readonly string[]): LookupFunction {
  const all: LookupAddress[] = addresses.map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  return (_host, { all: wantsAll }, callback) => {
    const [first] = all;
    if (wantsAll || first === undefined) callback(null, all);
    else callback(null, first.address, first.family);
  };
}
