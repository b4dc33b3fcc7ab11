import type { Clock } from '../../base/clock.ts';
import { grow, newLane, shrink, takeMail, type Lane, type LaneLimits } from './lane.ts';
import { providerOf } from './provider-key.ts';

export interface PaceOptions extends LaneLimits {
  /** Connections to one MX host at once. */
  max_connections_per_host: number;
  /** A provider without use for this long is forgotten, with what was learnt of it. */
  idle_ms: number;
  max_providers: number;
  /** For the jitter of pauses, which keeps nodes from coming back all at once. */
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
  /** Until a connection to it is released. */
  | { may: false; reason: 'host_full' | 'provider_full' };

export interface Slot {
  provider: string;
  /** More than once does no harm. */
  release(): void;
}

export interface ProviderPace {
  provider: string;
  open: number;
  limit: number;
  mails_per_second: number;
  cooling_until: Date | null;
}

/** How many connections and mails each destination gets. The host is an MX host's name; its provider shares the limits. */
export interface Pace {
  mayOpen(host: string): Permission;
  /** A place for one connection, to be released when it is closed; undefined when `mayOpen` says no. */
  acquire(host: string): Slot | undefined;
  /** Takes the right to send one mail and gives 0, or the milliseconds to wait before asking again. */
  takeMail(host: string): number;
  onSuccess(host: string): void;
  onThrottled(host: string, hint?: { retry_after_seconds?: number }): void;
  /** The providers in memory, those used last at the end. */
  list(): ProviderPace[];
}

export function createPace(given: Partial<PaceOptions>, clock: Clock): Pace {
  const options = { ...defaultPace, ...given };
  const lanes = new Map<string, Lane>();
  const nowMs = (): number => clock.now().getTime();

  function use(provider: string, now = nowMs()): Lane {
    const lane = lanes.get(provider) ?? newLane(options, now);
    // Last used stands last.
    lanes.delete(provider);
    forgetIdle(lanes, { now, options });
    lanes.set(provider, lane);
    lane.used_at = now;
    return lane;
  }

  function judge(lane: Lane | undefined, host: string): Permission {
    if (lane === undefined) return { may: true };
    const wait = lane.cooling_until - nowMs();
    if (wait > 0) return { may: false, reason: 'cooling_down', retry_after_ms: wait };
    if (lane.open >= Math.floor(lane.limit)) return { may: false, reason: 'provider_full' };
    const isFull = (lane.open_by_host.get(host) ?? 0) >= options.max_connections_per_host;
    return isFull ? { may: false, reason: 'host_full' } : { may: true };
  }

  return {
    mayOpen: (host) => judge(lanes.get(providerOf(host)), host),
    acquire(host) {
      const provider = providerOf(host);
      if (!judge(lanes.get(provider), host).may) return undefined;
      const lane = use(provider);
      count(lane, host, 1);
      let isHeld = true;
      return {
        provider,
        release() {
          if (isHeld) count(lane, host, -1);
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
    onThrottled(host, { retry_after_seconds = 0 } = {}) {
      const complaint = { now: nowMs(), wait_ms: retry_after_seconds * 1000, random: options.random() };
      shrink(use(providerOf(host)), options, complaint);
    },
    list: () => [...lanes].map(([provider, lane]) => describe(provider, lane, nowMs())),
  };
}

function count(lane: Lane, host: string, change: 1 | -1): void {
  lane.open += change;
  const open = (lane.open_by_host.get(host) ?? 0) + change;
  if (open === 0) lane.open_by_host.delete(host);
  else lane.open_by_host.set(host, open);
}

function describe(provider: string, lane: Lane, now: number): ProviderPace {
  const { open, mails_per_second, cooling_until } = lane;
  const until = cooling_until > now ? new Date(cooling_until) : null;
  return { provider, open, limit: Math.floor(lane.limit), mails_per_second, cooling_until: until };
}

/** Those longest without use stand first. One with open connections stays: its count would be lost. */
function forgetIdle(lanes: Map<string, Lane>, { now, options }: { now: number; options: PaceOptions }): void {
  for (const [provider, lane] of lanes) {
    const isIdle = now - lane.used_at >= options.idle_ms && now >= lane.cooling_until;
    if (!isIdle && lanes.size < options.max_providers) return;
    if (lane.open === 0) lanes.delete(provider);
  }
}
