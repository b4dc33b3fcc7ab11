import type { Reason } from '../events/index.ts';
import { isAtOrBelow, sandboxZone } from '../domains/index.ts';
import type { CauseCode } from './causes.ts';
import { reasonOf, type LogLine } from './read-log.ts';
import type { MailFacts } from './read-mail.ts';
import { causeOfReply, type RemoteReply } from './refine-cause.ts';

/** The status of the mail so far. */
export type State = 'delivered' | 'waiting' | 'delayed' | 'held' | 'dropped' | 'bounced';

/** By delivery status (contract §7). */
const states: Record<number, State> = {
  1: 'waiting',
  2: 'waiting',
  3: 'delivered',
  4: 'dropped',
  5: 'delayed',
  6: 'bounced',
  7: 'held',
};

export interface Decision {
  state: State;
  code: CauseCode;
  /** The line of the log that says so, if one does. */
  line: LogLine | undefined;
  is_sandbox: boolean;
}

/** Why the mail is where it is: rules over its record, its log and its place in the queue. */
export function decideCause(facts: MailFacts, log: LogLine[]): Decision {
  const state = states[facts.status] ?? 'waiting';
  const is_sandbox = isAtOrBelow(facts.destination, sandboxZone);
  const line = log.findLast(({ event }) => endings[state].includes(event));
  return { state, is_sandbox, line, code: codeOf(state, { facts, log, line, is_sandbox }) };
}

/** The events that lead to a state. */
const endings: Record<State, string[]> = {
  delivered: ['sent'],
  waiting: [],
  delayed: ['deferred'],
  held: ['held'],
  dropped: ['dropped'],
  bounced: ['bounced'],
};

interface Case {
  facts: MailFacts;
  log: LogLine[];
  line: LogLine | undefined;
  is_sandbox: boolean;
}

function codeOf(state: State, { facts, log, line, is_sandbox }: Case): CauseCode {
  if (state === 'delivered') return codeOfDelivered(facts, is_sandbox);
  if (state === 'waiting' || state === 'delayed') return codeOfWaiting(facts, line);
  if (state === 'held') return codeOfHeld(facts, line);
  if (state === 'bounced' && line?.reason === 'message_expired') return codeOfExpired(log);
  return codeOfLine(line);
}

function codeOfDelivered(facts: MailFacts, isSandbox: boolean): CauseCode {
  if (facts.complaint !== null) return 'complained';
  if (facts.unsubscribed_with_it_at !== null) return 'unsubscribed';
  if (facts.clicks > 0) return 'clicked';
  if (facts.opens > 0) return 'opened';
  return isSandbox ? 'sandbox_captured' : 'delivered';
}

/** What counts is why it was put off last, which may be newer than its last attempt. */
function codeOfWaiting(
  { now, queued, schedule_at, paused_at, is_delivery_running }: MailFacts,
  last: LogLine | undefined,
): CauseCode {
  if (queued?.is_under_way) return 'in_delivery';
  if (schedule_at !== null && schedule_at > now) return 'scheduled';
  if (paused_at !== null) return 'destination_paused';
  const isDue = queued !== null && queued.due_at <= now;
  if (isDue && !is_delivery_running) return 'no_delivery_node';
  const error = queued?.last_error;
  if (error === null || error === undefined) return last ? codeOfLine(last) : 'in_queue';
  // What is due again is no longer held up by the platform itself.
  const reply = error === last?.reason ? last : noReply;
  const code = causeOfReply(error as Reason, reply);
  return code === 'platform_busy' && isDue ? 'in_queue' : code;
}

/** What stands in its way now: it is released only once the instance is enabled and the domain verified. */
function codeOfHeld({ is_enabled, domain }: MailFacts, line: LogLine | undefined): CauseCode {
  if (!is_enabled) return 'instance_disabled';
  const isVerified = Object.values(domain?.statuses ?? {}).every((status) => status === 'verified');
  return isVerified ? codeOfLine(line) : 'domain_not_verified';
}

const noReply: RemoteReply = { smtp_code: null, enhanced_code: null, response: null };

/** What ran out on hold ended because of what it was held for. */
function codeOfExpired(log: LogLine[]): CauseCode {
  const before = log.findLast(
    ({ event }) => event === 'held' || event === 'released' || event === 'deferred',
  );
  return before?.event === 'held' ? codeOfLine(before) : 'message_expired';
}

function codeOfLine(line: LogLine | undefined): CauseCode {
  const reason = reasonOf(line);
  if (!line || reason === undefined) return 'in_queue';
  return causeOfReply(reason, line);
}
