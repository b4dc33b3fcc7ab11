import { TokenBucket, type TokenRate } from '../../protocol/token-bucket.ts';

/** What is known of one provider. Times are milliseconds of the clock. */
export interface Lane {
  open: number;
  open_by_host: Map<string, number>;
  /** Connections at once; the whole part counts. */
  limit: number;
  mails_per_second: number;
  mails: TokenBucket;
  /** Mails of late, halved about every seven seconds: what the provider was really sent. */
  recent: number;
  recent_at: number;
  cooling_until: number;
  /** Times it asked for less without a success in between. */
  strikes: number;
  used_at: number;
}

export interface LaneLimits {
  /** Connections to one provider at once: at the start, and at most. It never falls below one. */
  initial_connections: number;
  max_connections: number;
  /** Rate to one provider: at the start and at most, and the least it can fall to. */
  max_mails_per_second: number;
  min_mails_per_second: number;
  /** The first pause after a provider asked for less; it doubles up to the longest. */
  cool_down_ms: number;
  max_cool_down_ms: number;
}

const RECENT_MS = 10_000;

export function newLane(limits: LaneLimits, now: number): Lane {
  return {
    open: 0,
    open_by_host: new Map(),
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

/** A second's worth at a time, and one where the rate is below that. */
function rateOf(per_second: number): TokenRate {
  return { per_second, burst: Math.max(1, per_second) };
}

function setRate(lane: Lane, per_second: number, now: number): void {
  if (per_second === lane.mails_per_second) return;
  lane.mails_per_second = per_second;
  lane.mails.change(rateOf(per_second), now);
}

/** Brings the recent mails up to now. */
function decay(lane: Lane, now: number): void {
  lane.recent *= Math.exp(-Math.max(0, now - lane.recent_at) / RECENT_MS);
  lane.recent_at = now;
}

/** Takes the right to send one mail now and gives 0, or the milliseconds until it is worth asking again. */
export function takeMail(lane: Lane, now: number): number {
  decay(lane, now);
  if (now < lane.cooling_until) return lane.cooling_until - now;
  if (!lane.mails.take(1, now)) return Math.max(1, Math.ceil(lane.mails.waitMs(1, now)));
  lane.recent += 1;
  return 0;
}

/**
 * Additive increase: about one more connection for each round of mails over all connections, as TCP does. A limit
 * that was not reached was not proven, so it stays.
 */
export function grow(lane: Lane, limits: LaneLimits, now: number): void {
  if (now < lane.cooling_until) return;
  lane.strikes = 0;
  if (lane.open >= Math.floor(lane.limit)) lane.limit = oneMore(lane.limit, limits.max_connections);
  setRate(lane, oneMore(lane.mails_per_second, limits.max_mails_per_second), now);
}

function oneMore(value: number, most: number): number {
  return Math.min(most, value + 1 / Math.max(1, value));
}

export interface Complaint {
  now: number;
  /** What the reply asked for. */
  wait_ms: number;
  /** In [0, 1). */
  random: number;
}

/**
 * Multiplicative decrease from what was really in use, and a pause. What many connections hear in the same moment is
 * one complaint: during the pause nothing falls further.
 */
export function shrink(lane: Lane, limits: LaneLimits, { now, wait_ms, random }: Complaint): void {
  const asked = now + Math.min(limits.max_cool_down_ms, wait_ms * (1 + 0.1 * random));
  if (now < lane.cooling_until) {
    lane.cooling_until = Math.max(lane.cooling_until, asked);
    return;
  }
  decay(lane, now);
  // The connection that heard it may be gone already.
  lane.limit = Math.max(1, Math.min(lane.limit, lane.open + 1) / 2);
  const used = Math.min(lane.mails_per_second, lane.recent / (RECENT_MS / 1000));
  setRate(lane, Math.max(limits.min_mails_per_second, used / 2), now);
  lane.strikes += 1;
  const pause = limits.cool_down_ms * 2 ** Math.min(lane.strikes - 1, 20) * (0.8 + 0.4 * random);
  lane.cooling_until = Math.max(asked, now + Math.min(limits.max_cool_down_ms, pause));
}
