import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../base/db/database.ts';
import type { Log } from '../../base/log.ts';
import type { DmarcQuota } from '../reports/dmarc-reports.ts';
import type { Resolver } from '../../protocol/dns/client/resolver.ts';
import type { Receipt } from '../../received/index.ts';
import type { AddressContext } from './inbound-address.ts';
import type { TakingLimits } from './taking-limits.ts';

export interface InboundContext extends AddressContext {
  db: Database;
  clock: Clock;
  log: Log;
  resolver: Resolver;
  /** DMARC reports per domain and day: from one reporter, and in total. */
  dmarc_quota: DmarcQuota;
  /** Resolves once the mail is committed. */
  storeReceived: (receipt: Receipt) => Promise<void>;
  taking: TakingLimits;
}

/** A message and its session. */
export interface Incoming {
  raw: Buffer;
  /** Undefined is the empty reverse path. */
  mail_from: string | undefined;
  recipient: string;
  remote_ip: string;
  helo: string;
}

/** Result per recipient, as it appears in log and metrics. */
export type InboundResult =
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
  /** Neither SPF nor DKIM authenticates the reporter. */
  | 'dmarc_unaligned'
  /** DNS did not answer, so the reporter could not be authenticated. */
  | 'dmarc_unchecked'
  /** The quota of the reporter or domain is used up. */
  | 'dmarc_full'
  /** For a route. */
  | 'received'
  /** More than a report has. */
  | 'too_large'
  | 'kept'
  | 'ignored'
  /** Retry later: the mail in question has no outcome yet. */
  | 'too_early';
