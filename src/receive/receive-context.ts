import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { Log } from '../base/log.ts';
import type { DmarcQuota } from '../inbound/index.ts';
import type { Resolver } from '../protocol/dns/client/resolver.ts';
import type { AddressContext } from './inbound-address.ts';

export interface ReceiveContext extends AddressContext {
  db: Database;
  clock: Clock;
  log: Log;
  resolver: Resolver;
  /** How many DMARC reports a domain takes in a day: from one reporter, and in all. */
  dmarc_quota: DmarcQuota;
}

/** A message with what the session tells of it. */
export interface Incoming {
  raw: Buffer;
  /** Undefined is the empty reverse path. */
  mail_from: string | undefined;
  recipient: string;
  remote_ip: string;
  helo: string;
}

/** What became of a message at one of its recipients; each is a word in the log and in the metrics. */
export type Taken =
  | 'bounce'
  | 'bounce_known'
  | 'bounce_unsent'
  | 'not_failed'
  | 'complaint'
  | 'complaint_known'
  | 'complaint_untold'
  | 'unsubscribe'
  | 'auto_reply'
  | 'dmarc_report'
  | 'dmarc_known'
  | 'dmarc_unreadable'
  /** Neither SPF nor DKIM shows that it comes from whom it says. */
  | 'dmarc_unaligned'
  /** As above, but DNS did not answer. */
  | 'dmarc_unchecked'
  /** The quota of its reporter or its domain is used up. */
  | 'dmarc_full'
  | 'kept'
  | 'ignored'
  /** The sender is asked to come back: what the message is about is not settled yet. */
  | 'too_early';
