import type { Phase } from './outcome.ts';

/**
 * How long to wait, in milliseconds: for the reply at each phase, whatever trickles in before it is whole; at
 * `starttls` for the reply and then for the handshake.
 */
export interface Timeouts extends Record<Phase, number> {
  /** For the server to take the next piece of a long message. */
  block: number;
  /** For one message from MAIL to the dot: a server may be slow at a step, not at all of them. */
  transaction: number;
}

/**
 * RFC 5321 §4.5.3.2 has minutes for each; a server that needs as long has other problems, and mail can wait. The reply after
 * the dot has all of its ten minutes (§4.5.3.2.6): the server may have taken the message, and would get it twice.
 */
export const defaultTimeouts: Timeouts = {
  connect: 15_000,
  greeting: 30_000,
  ehlo: 60_000,
  starttls: 30_000,
  auth: 30_000,
  rset: 60_000,
  mail: 60_000,
  rcpt: 60_000,
  data: 60_000,
  block: 120_000,
  body: 600_000,
  quit: 5_000,
  transaction: 600_000,
};
