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

/** Where a mail goes out from: an address, whichever the system chooses, or nowhere at present. */
export type SourceChoice =
  | { kind: 'source'; source: SourceAddress | undefined; giveBack(): void }
  | { kind: 'none'; reason: 'no_source_address' | 'warming_up'; retry_after_seconds: number };

export type PickSource = (instanceId: number, to: { host: string; address: string }) => Promise<SourceChoice>;

interface PickerOptions {
  directory: SourceDirectory;
  leases: WarmUpLeases;
  clock: Clock;
  /** Whether this node can bind to an address; others of the pool are other nodes'. */
  isHere: (address: string) => boolean;
  random?: () => number;
}

/** Another node may have what this one lacks; and pools change. */
const elsewhere_seconds = 60;
const max_wait_seconds = 3_600;

export const fromAnywhere: SourceChoice = { kind: 'source', source: undefined, giveBack: () => undefined };

/**
 * Those that warm up come first, as long as their day has mails left, since sending is what warms them; the rest goes
 * to those that are warm, in turn by chance.
 */
export function createSourcePicker(options: PickerOptions): PickSource {
  const { directory, leases, clock, isHere, random = Math.random } = options;
  return async (instanceId, { host, address }) => {
    const pool = await directory.poolOf(instanceId);
    if (pool.length === 0) return fromAnywhere;
    const usable = pool.filter(
      (source) => isIPv6(source.address) === isIPv6(address) && isHere(source.address),
    );
    const provider = providerOf(host);
    const now = clock.now();
    const warming = usable.filter((source) => warmUpCap(source, now) < Infinity);
    for (const source of shuffle(warming, random)) {
      if (!(await leases.take(source, provider))) continue;
      return { kind: 'source', source, giveBack: () => leases.giveBack(source, provider) };
    }
    const [warm] = shuffle(
      usable.filter((source) => !warming.includes(source)),
      random,
    );
    if (warm) return { kind: 'source', source: warm, giveBack: () => undefined };
    if (warming.length === 0) {
      return { kind: 'none', reason: 'no_source_address', retry_after_seconds: elsewhere_seconds };
    }
    const next = Math.min(...warming.map((source) => secondsToNextDay(source, now)));
    const retry_after_seconds = Math.ceil(Math.min(max_wait_seconds, next)) + 1;
    return { kind: 'none', reason: 'warming_up', retry_after_seconds };
  };
}

const interfaces_for_ms = 10_000;

/** The addresses of this machine, looked up now and then: they come and go. All of 127.0.0.0/8 is here. */
export function createLocalAddresses(clock: Clock): (address: string) => boolean {
  let known = new Set<string>();
  let until = 0;
  return (address) => {
    const now = clock.now().getTime();
    if (now >= until) {
      known = new Set(
        Object.values(networkInterfaces()).flatMap((list) => list?.map((each) => each.address) ?? []),
      );
      until = now + interfaces_for_ms;
    }
    return known.has(address) || isLoopback(address);
  };
}
