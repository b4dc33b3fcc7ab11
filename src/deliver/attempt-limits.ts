import { defaultTimeouts, type Timeouts } from '../protocol/smtp-client/timeouts.ts';

export interface AttemptLimits {
  timeouts: Timeouts;
  /** After this long, no further server is tried in the same attempt. */
  max_search_ms: number;
  /** For a connection, while all that the destination may have are busy. */
  max_wait_ms: number;
}

/**
 * How long each part of an attempt may take, so that all of them together are over before the lease is: else another node
 * would send the same mail. Of half an hour an eighth is for other servers, a quarter for the message up to its dot, and
 * a third for the reply after it, which are the ten minutes of RFC 5321 §4.5.3.2.6; the rest is for connecting.
 */
export function attemptLimits({
  lease_seconds,
  reply_seconds,
}: {
  lease_seconds: number;
  /** The most for any one reply. */
  reply_seconds: number;
}): AttemptLimits {
  const lease_ms = lease_seconds * 1000;
  const max_ms = reply_seconds * 1000;
  const each = Object.entries(defaultTimeouts).map(([phase, ms]) => [phase, Math.min(ms, max_ms)]);
  return {
    timeouts: {
      ...(Object.fromEntries(each) as Timeouts),
      transaction: Math.min(defaultTimeouts.transaction, lease_ms / 4),
      body: Math.min(defaultTimeouts.body, max_ms, lease_ms / 3),
    },
    max_search_ms: lease_ms / 8,
    max_wait_ms: Math.min(30_000, lease_ms / 4),
  };
}
