import { backoffDelay } from '../../protocol/backoff.ts';
import { Counts } from '../../protocol/counts.ts';
import { TokenBucket, type TokenRate } from '../../protocol/token-bucket.ts';

/** Throttling state of one provider. Times are epoch milliseconds. */
export interface ProviderState {
  /** Open connections by host. */
  open: Counts<string>;
  /** Concurrent connections; fractions accumulate until they make another one. */
  limit: number;
  mails_per_second: number;
  mails: TokenBucket;
  /** Exponentially decaying count of sent mails, with a half-life of about seven seconds. */
  recent: number;
  recent_at: number;
  cooling_until: number;
  /** Throttling replies since the last success. */
  strikes: number;
  used_at: number;
}

export interface ProviderLimits {
  /** Concurrent connections to one provider. Never falls below one. */
  initial_connections: number;
  max_connections: number;
  /** Also the initial rate. */
  max_mails_per_second: number;
  min_mails_per_second: number;
  /** First pause after a throttling reply; it doubles with every further one. */
  cool_down_ms: number;
  max_cool_down_ms: number;
}

const recentMs = 10_000;

export function newProviderState(limits: ProviderLimits, now: number): ProviderState {
  return {
    open: new Counts(),
    limit: Math.min(limits.initial_connections, limits.max_connections),
    mails_per_second: limits.max_mails_per_second,
    mails: new TokenBucket(rateOf(limits.max_mails_per_second), now),
    recent: 0,
    recent_at: now,
    cooling_until: 0,
    strikes: 0,
    used_at: now,
  };
}

/** A burst of one second's worth, at least one mail. */
function rateOf(per_second: number): TokenRate {
  return { per_second, burst: Math.max(1, per_second) };
}

function setRate(state: ProviderState, per_second: number, now: number): void {
  if (per_second === state.mails_per_second) return;
  state.mails_per_second = per_second;
  state.mails.change(rateOf(per_second), now);
}

/** Brings the recent mails up to now. */
function decay(state: ProviderState, now: number): void {
  state.recent *= Math.exp(-Math.max(0, now - state.recent_at) / recentMs);
  state.recent_at = now;
}

/** Takes a token for one mail and returns 0, or returns the milliseconds to wait before asking again. */
export function takeMail(state: ProviderState, now: number): number {
  decay(state, now);
  if (now < state.cooling_until) return state.cooling_until - now;
  if (!state.mails.take(1, now)) return Math.max(1, Math.ceil(state.mails.waitMs(1, now)));
  state.recent += 1;
  return 0;
}

/**
 * Additive increase, as in TCP congestion avoidance: about one more connection per round of mails over all connections.
 * A limit that was not reached stays: it is not proven.
 */
export function grow(state: ProviderState, limits: ProviderLimits, now: number): void {
  if (now < state.cooling_until) return;
  state.strikes = 0;
  if (state.open.total >= Math.floor(state.limit)) state.limit = oneMore(state.limit, limits.max_connections);
  setRate(state, oneMore(state.mails_per_second, limits.max_mails_per_second), now);
}

function oneMore(value: number, most: number): number {
  return Math.min(most, value + 1 / Math.max(1, value));
}

export interface ThrottlingReply {
  now: number;
  /** Delay the reply asked for. */
  wait_ms: number;
  /** In [0, 1). */
  random: number;
}

/**
 * Multiplicative decrease from what was really in use, and a pause. Many connections get the same reply at the same time:
 * during the pause the limits do not fall further.
 */
export function shrink(
  state: ProviderState,
  limits: ProviderLimits,
  { now, wait_ms, random }: ThrottlingReply,
): void {
  const asked = now + Math.min(limits.max_cool_down_ms, wait_ms * (1 + 0.1 * random));
  if (now < state.cooling_until) {
    state.cooling_until = Math.max(state.cooling_until, asked);
    return;
  }
  decay(state, now);
  // The connection that got the reply may be closed already, hence the + 1.
  state.limit = Math.max(1, Math.min(state.limit, state.open.total + 1) / 2);
  const used = Math.min(state.mails_per_second, state.recent / (recentMs / 1000));
  setRate(state, Math.max(limits.min_mails_per_second, used / 2), now);
  state.strikes += 1;
  const backoff = backoffDelay(state.strikes, { first_ms: limits.cool_down_ms, most_ms: Infinity });
  const pause = backoff * (0.8 + 0.4 * random);
  state.cooling_until = Math.max(asked, now + Math.min(limits.max_cool_down_ms, pause));
}
