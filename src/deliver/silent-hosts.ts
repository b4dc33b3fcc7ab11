import type { Clock } from '../base/clock.ts';
import { BoundedMap } from '../protocol/bounded-map.ts';
import type { ConnectionFailure } from '../protocol/smtp-client/outcome.ts';

/** What the last try to reach a server came to. */
export interface SilentHosts {
  /** A session was opened there. */
  reached(address: string): void;
  failed(address: string, failure: Pick<ConnectionFailure, 'kind' | 'phase'>): void;
  /** Whether the last try failed, however long ago. */
  isDown(address: string): boolean;
  /** Seconds since it let us wait in vain, when that was a moment ago: it would do so again. */
  silentFor(address: string): number | undefined;
}

/** Shorter than the wait for the first retry, so that a mail that met with silence is really tried again. */
const remembered_ms = 30_000;
const max_hosts = 100_000;

/**
 * A dead server costs a place for as long as one waits for it. One mail finds that out; the others of the next half
 * minute, to whatever domains it serves, are told at once.
 */
export function createSilentHosts(clock: Clock): SilentHosts {
  const down = new BoundedMap<string, number | undefined>({ max_entries: max_hosts });
  return {
    reached: (address) => down.delete(address),
    failed(address, { kind, phase }) {
      const isSilent = kind === 'timeout' && (phase === 'connect' || phase === 'greeting');
      down.set(address, isSilent ? clock.now().getTime() : undefined);
    },
    isDown: (address) => down.has(address),
    silentFor(address) {
      const fell_silent = down.get(address);
      if (fell_silent === undefined) return undefined;
      const since = clock.now().getTime() - fell_silent;
      return since < remembered_ms ? Math.round(since / 1000) : undefined;
    },
  };
}
