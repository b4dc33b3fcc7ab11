import type { State } from '../decide-cause.ts';
import type { LogLine } from '../read-log.ts';

/** What is said around the words of a cause. */
export interface Phrases {
  /** Before the title of a cause; of delivered mail the title is the whole headline. */
  states: Record<Exclude<State, 'delivered'>, string>;
  next: (at: string) => string;
  due: string;
  gives_up: (at: string) => string;
  /** Permanent, with what follows for the recipient. */
  bounced: string;
  restricts: string;
  dropped: string;
  /** The server had taken it at first. */
  late: (sent_at: string) => string;
  sandbox: (recipient: string) => string;
  similar: (counts: { destination: string; count: number; same: number }) => string;
  publish: (record: { type: string; host: string; value: string; priority: number | null }) => string;
  received: string;
  /** A line of the log; what others wrote is quoted and cut already. */
  line: (line: QuotedLine) => string;
  validated: (check: { domain: string; record: string; status: string; why: string | null }) => string;
  restricted: (reason: string) => string;
  blocked: string;
  unsubscribed: string;
  consented: (consent: { verdict: 'allow' | 'deny'; term: string; purpose: string }) => string;
  paused: (destination: string) => string;
}

export interface QuotedLine extends Pick<LogLine, 'event' | 'reason' | 'attempt' | 'remote_host'> {
  quoted: string | null;
}
