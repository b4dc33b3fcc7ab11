import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Clock } from '../base/clock.ts';
import { isLoopback } from '../protocol/smtp-client/authenticate.ts';
import {
  secondsToNextDay,
  type SourceAddress,
  type SourceDirectory,
  warmUpCap,
  type WarmUpLeases,
} from '../sources/index.ts';
import { providerOf } from './pace/provider-key.ts';
import { shuffle } from './route/mx-order.ts';

/** The source address of a mail; undefined leaves the choice to the operating system. */
export type SourceChoice =
  | { kind: 'source'; source: SourceAddress | undefined; refund(): void }
  | { kind: 'none'; reason: 'no_source_address' | 'warming_up'; retry_after_seconds: number };

export type PickSource = (instanceId: number, to: { host: string; address: string }) => Promise<SourceChoice>;

interface PickerOptions {
  directory: SourceDirectory;
  leases: WarmUpLeases;
  clock: Clock;
  /** Whether this node can bind to an address; the other addresses of a pool belong to other nodes. */
  isLocal: (address: string) => boolean;
  random?: () => number;
}

/** Retry delay when no address of the pool is on this node: another node may claim the mail, or the pool may change. */
const noLocalSourceSeconds = 60;
const maxWaitSeconds = 3_600;

export const anySource: SourceChoice = { kind: 'source', source: undefined, refund: () => undefined };

/**
 * Addresses in warm-up come first while their daily cap allows, since sending is what warms them; the rest goes to a random
 * warm address.
 */
export function createSourcePicker(options: PickerOptions): PickSource {
  const { directory, leases, clock, isLocal, random = Math.random } = options;
  return async (instanceId, { host, address }) => {
    const pool = await directory.poolOf(instanceId);
    if (pool.length === 0) return anySource;
    const usable = pool.filter(
      (source) => isIPv6(source.address) === isIPv6(address) && isLocal(source.address),
    );
    const provider = providerOf(host);
    const now = clock.now();
    const warming = usable.filter((source) => warmUpCap(source, now) < Infinity);
    for (const source of shuffle(warming, random)) {
      if (!(await leases.take(source, provider))) continue;
      return { kind: 'source', source, refund: () => leases.refund(source, provider) };
    }
    const [warm] = shuffle(
      usable.filter((source) => !warming.includes(source)),
      random,
    );
    if (warm) return { kind: 'source', source: warm, refund: () => undefined };
    if (warming.length === 0) {
      return { kind: 'none', reason: 'no_source_address', retry_after_seconds: noLocalSourceSeconds };
    }
    const next = Math.min(...warming.map((source) => secondsToNextDay(source, now)));
    const retry_after_seconds = Math.ceil(Math.min(maxWaitSeconds, next)) + 1;
    return { kind: 'none', reason: 'warming_up', retry_after_seconds };
  };
}

const interfacesForMs = 10_000;

/** The addresses of this machine, refreshed every ten seconds. All of 127.0.0.0/8 is local. */
export function createLocalAddresses(clock: Clock): (address: string) => boolean {
  let known = new Set<string>();
  let until = 0;
  return (address) => {
    const now = clock.now().getTime();
    if (now >= until) {
      known = new Set(
        Object.values(networkInterfaces()).flatMap((list) => list?.map((each) => each.address) ?? []),
      );
      until = now + interfacesForMs;
    }
    return known.has(address) || isLoopback(address);
  };
}
