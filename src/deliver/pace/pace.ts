import type { Clock } from '../../base/clock.ts';
import {
  grow,
  newProviderState,
  shrink,
  takeMail,
  type ProviderState,
  type ProviderLimits,
} from './provider-state.ts';
import { providerOf } from './provider-key.ts';

export interface PaceOptions extends ProviderLimits {
  /** Concurrent connections to one MX host. */
  max_connections_per_host: number;
  /** The state of a provider is evicted when it was not used for this long. */
  idle_ms: number;
  max_providers: number;
  /** Jitter of pauses, so that nodes do not come back all at once. */
  random: () => number;
}

export const defaultPace: PaceOptions = {
  initial_connections: 5,
  max_connections: 20,
  max_connections_per_host: 10,
  max_mails_per_second: 100,
  min_mails_per_second: 0.5,
  cool_down_ms: 30_000,
  max_cool_down_ms: 15 * 60_000,
  idle_ms: 30 * 60_000,
  max_providers: 20_000,
  random: Math.random,
};

export type Permission =
  | { may: true }
  | { may: false; reason: 'cooling_down'; retry_after_ms: number }
  /** Wait until a connection is released. */
  | { may: false; reason: 'host_full' | 'provider_full' };

export interface ConnectionSlot {
  provider: string;
  /** Idempotent. */
  release(): void;
}

export interface ProviderPace {
  provider: string;
  open: number;
  limit: number;
  mails_per_second: number;
  cooling_until: Date | null;
}

/** Limits connections and mails per provider. `host` is the name of an MX host; hosts of one provider share the limits. */
export interface Pace {
  mayOpen(host: string): Permission;
  /** A slot for one connection, to be released when it is closed; undefined when `mayOpen` says no. */
  acquire(host: string): ConnectionSlot | undefined;
  /** Takes a token for one mail and returns 0, or returns the milliseconds to wait before asking again. */
  takeMail(host: string): number;
  onSuccess(host: string): void;
  /** With the delay that the reply asked for. */
  onThrottled(host: string, retry_after_seconds?: number): void;
  /** Known providers, least recently used first. */
  list(): ProviderPace[];
}

export function createPace(given: Partial<PaceOptions>, clock: Clock): Pace {
  const options = { ...defaultPace, ...given };
  const states = new Map<string, ProviderState>();
  const nowMs = (): number => clock.now().getTime();

  function use(provider: string, now = nowMs()): ProviderState {
    const state = states.get(provider) ?? newProviderState(options, now);
    // Re-inserted: the map is in LRU order.
    states.delete(provider);
    evictIdle(states, { now, options });
    states.set(provider, state);
    state.used_at = now;
    return state;
  }

  function check(state: ProviderState | undefined, host: string): Permission {
    if (state === undefined) return { may: true };
    const wait = state.cooling_until - nowMs();
    if (wait > 0) return { may: false, reason: 'cooling_down', retry_after_ms: wait };
    if (state.open.total >= Math.floor(state.limit)) return { may: false, reason: 'provider_full' };
    const isFull = state.open.of(host) >= options.max_connections_per_host;
    return isFull ? { may: false, reason: 'host_full' } : { may: true };
  }

  return {
    mayOpen: (host) => check(states.get(providerOf(host)), host),
    acquire(host) {
      const provider = providerOf(host);
      if (!check(states.get(provider), host).may) return undefined;
      const state = use(provider);
      state.open.add(host);
      let isHeld = true;
      return {
        provider,
        release() {
          if (isHeld) state.open.remove(host);
          isHeld = false;
        },
      };
    },
    takeMail(host) {
      const now = nowMs();
      return takeMail(use(providerOf(host), now), now);
    },
    onSuccess(host) {
      const now = nowMs();
      grow(use(providerOf(host), now), options, now);
    },
    onThrottled(host, retry_after_seconds = 0) {
      const reply = { now: nowMs(), wait_ms: retry_after_seconds * 1000, random: options.random() };
      shrink(use(providerOf(host)), options, reply);
    },
    list: () => [...states].map(([provider, state]) => describe(provider, state, nowMs())),
  };
}

function describe(provider: string, state: ProviderState, now: number): ProviderPace {
  const { open, mails_per_second, cooling_until } = state;
  const until = cooling_until > now ? new Date(cooling_until) : null;
  return {
    provider,
    open: open.total,
    limit: Math.floor(state.limit),
    mails_per_second,
    cooling_until: until,
  };
}

/** Least recently used first. A provider with open connections stays: its count would be lost. */
function evictIdle(
  states: Map<string, ProviderState>,
  { now, options }: { now: number; options: PaceOptions },
): void {
  for (const [provider, state] of states) {
    const isIdle = now - state.used_at >= options.idle_ms && now >= state.cooling_until;
    if (!isIdle && states.size < options.max_providers) return;
    if (state.open.total === 0) states.delete(provider);
  }
}
