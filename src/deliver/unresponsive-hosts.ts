import type { Clock } from '../base/clock.ts';
import { BoundedMap } from '../protocol/bounded-map.ts';
import type { ConnectionFailure } from '../protocol/smtp-client/outcome.ts';

/** Remembers which servers could not be reached. */
export interface UnresponsiveHosts {
  /** A session was opened. */
  reached(address: string): void;
  failed(address: string, failure: Pick<ConnectionFailure, 'kind' | 'phase'>): void;
  /** Whether the last connection failed, however long ago. */
  isDown(address: string): boolean;
  /** Seconds since the last connection timed out; undefined after `remembered_ms`. */
  unresponsiveFor(address: string): number | undefined;
}

/** Shorter than the delay before the first retry, so that the retry of a mail really connects. */
const rememberedMs = 30_000;
const maxHosts = 100_000;

/**
 * A dead server occupies a slot until the connection times out. One mail pays for that; the mails of the next half minute
 * are deferred without a connection, whatever domain they are for.
 */
export function createUnresponsiveHosts(clock: Clock): UnresponsiveHosts {
  const down = new BoundedMap<string, number | undefined>({ max_entries: maxHosts });
  return {
    reached: (address) => down.delete(address),
    failed(address, { kind, phase }) {
      const hasTimedOut = kind === 'timeout' && (phase === 'connect' || phase === 'greeting');
      down.set(address, hasTimedOut ? clock.now().getTime() : undefined);
    },
    isDown: (address) => down.has(address),
    unresponsiveFor(address) {
      const timedOutAt = down.get(address);
      if (timedOutAt === undefined) return undefined;
      const since = clock.now().getTime() - timedOutAt;
      return since < rememberedMs ? Math.round(since / 1000) : undefined;
    },
  };
}
