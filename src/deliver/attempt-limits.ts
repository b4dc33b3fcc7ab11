import { defaultTimeouts, type Timeouts } from '../protocol/smtp-client/timeouts.ts';

export interface AttemptLimits {
  timeouts: Timeouts;
  /** After this long, no further server is tried in the same attempt. */
  max_search_ms: number;
  /** Wait for a connection while all connections to the destination are busy. */
  max_wait_ms: number;
}

/**
 * Timeouts of an attempt. Their sum is less than the lease; otherwise another node would send the same mail. Of the lease
 * 1/8 is for further servers, 1/4 for the message up to the final dot and 1/3 for the reply to it (with a lease of half an
 * hour the ten minutes of RFC 5321 §4.5.3.2.6); the rest is for connecting.
 */
export function attemptLimits({
  lease_seconds,
  reply_seconds,
}: {
  lease_seconds: number;
  /** Upper bound for every reply. */
  reply_seconds: number;
}): AttemptLimits {
  const leaseMs = lease_seconds * 1000;
  const max_ms = reply_seconds * 1000;
  const each = Object.entries(defaultTimeouts).map(([phase, ms]) => [phase, Math.min(ms, max_ms)]);
  return {
    timeouts: {
      ...(Object.fromEntries(each) as Timeouts),
      transaction: Math.min(defaultTimeouts.transaction, leaseMs / 4),
      body: Math.min(defaultTimeouts.body, max_ms, leaseMs / 3),
    },
    max_search_ms: leaseMs / 8,
    max_wait_ms: Math.min(30_000, leaseMs / 4),
  };
}
