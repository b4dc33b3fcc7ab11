import type { AttemptDetails, Reason, WaitReason } from '../events/index.ts';
import type { PolicyStore } from '../protocol/mta-sts/policy-store.ts';
import type { ConnectionFailure, Outcome as SmtpOutcome } from '../protocol/smtp-client/outcome.ts';
import type { OutboundMessage, Session } from '../protocol/smtp-client/session.ts';
import { classify, type ClassifyContext, type Failure, type Verdict } from '../protocol/classify/classify.ts';
import { classifyRoute } from './route/classify-route.ts';
import type { Pace } from './pace/pace.ts';
import type { Router } from './route/router.ts';
import type { PickSource, SourceChoice } from './pick-source.ts';
import type { Paced, SessionPool } from './session-pool.ts';
import type { UnresponsiveHosts } from './unresponsive-hosts.ts';
import { targetsOf, type Target } from './targets.ts';
import { tlsDetail } from './tls-detail.ts';

export interface RemoteContext {
  router: Router;
  sessions: SessionPool;
  pace: Pace;
  policies: PolicyStore;
  /** After this long, no further server is tried in the same attempt: its lease must not expire. */
  max_search_ms: number;
  hosts: UnresponsiveHosts;
  pickSource: PickSource;
}

/** Nothing was sent, so it does not count as an attempt. */
interface Postponed {
  verdict: 'postponed';
  reason: WaitReason;
  retry_after_seconds: number;
}

export interface AttemptResult {
  verdict: Verdict<Reason> | Postponed;
  details: Omit<AttemptDetails, 'attempt'>;
  /** Runs once the outcome is recorded. */
  onRecorded?: () => Promise<void>;
}

interface RemoteMail extends ClassifyContext {
  /** Gets the next connection when all are busy. */
  urgent: boolean;
  instance_id: number;
  destination: string;
  /** Builds and signs the message: most of the work of an attempt, so it is only done once a server is to be tried. */
  prepare: () => Promise<OutboundMessage>;
}

/** One attempt to deliver to a remote domain: its servers by preference, until one of them replies about the mail. */
export async function attemptRemote(
  context: RemoteContext,
  { instance_id, destination, prepare, last_attempt, urgent }: RemoteMail,
): Promise<AttemptResult> {
  const classifying = { last_attempt };
  const until = performance.now() + context.max_search_ms;
  const [route, policy] = await Promise.all([
    context.router.route(destination),
    context.policies.policyFor(destination),
  ]);
  if (route.kind !== 'hosts') {
    const { verdict, enhanced } = classifyRoute(route, classifying);
    return { verdict, details: { enhanced_code: enhanced, detail: `no route to ${destination}` } };
  }
  const targets = targetsOf(route.hosts, { domain: destination, policy });
  if (targets.length === 0) {
    const detail = 'no MX host of the domain matches its MTA-STS policy';
    return { verdict: classify({ failure: 'mta_sts', phase: 'starttls' }, classifying), details: { detail } };
  }
  const pause = throttledUntil(context.pace, targets);
  if (pause) return { verdict: verdictOf(pause, classifying), details: replyDetails(pause) };
  let prepared: Promise<OutboundMessage> | undefined;
  const message = (): Promise<OutboundMessage> => (prepared ??= prepare());
  let last: AttemptResult | undefined;
  let unsent: AttemptResult | undefined;
  for (const server of targets) {
    if (last && performance.now() > until) break;
    const from = await context.pickSource(instance_id, server);
    if (from.kind === 'none') {
      unsent ??= withoutSource(from, classifying);
      continue;
    }
    const target = { ...server, source: from.source, urgent };
    const result = await attemptServer(context, { target, message, classifying }).catch((error: unknown) => {
      // The mail could not be prepared.
      from.refund();
      throw error;
    });
    if (!result.reached) from.refund();
    if (result.answered) return result;
    // When one server only postpones, the mail is postponed, whatever the other servers do.
    if (last?.verdict.verdict !== 'postponed') last = result;
  }
  return (
    last ?? unsent ?? { verdict: classify({ failure: 'dns', phase: 'greeting' }, classifying), details: {} }
  );
}

/** The mail waits for a source address until it expires. */
function withoutSource(
  { reason, retry_after_seconds }: Extract<SourceChoice, { kind: 'none' }>,
  { last_attempt }: ClassifyContext,
): AttemptResult {
  return {
    verdict: last_attempt
      ? { verdict: 'bounced', type: 'soft', reason, throttled: false }
      : { verdict: 'postponed', reason, retry_after_seconds },
    details: { detail: 'no source address of the pool is available' },
  };
}

/** Set when all servers are throttled: until the first of them is not. */
function throttledUntil(pace: Pace, targets: Target[]): Paced | undefined {
  const waits = targets.map(({ host }) => {
    const permission = pace.mayOpen(host);
    return !permission.may && permission.reason === 'cooling_down' ? permission.retry_after_ms : 0;
  });
  const wait = Math.min(...waits);
  return wait > 0 ? { kind: 'paced', retry_after_seconds: Math.ceil(wait / 1000) } : undefined;
}

interface ServerAttempt {
  target: Target;
  message: () => Promise<OutboundMessage>;
  classifying: ClassifyContext;
}

interface ServerResult extends AttemptResult {
  /** A session was used. */
  reached: boolean;
  /** The server replied about this mail, so no other server is tried in this attempt. */
  answered: boolean;
  /** The session was closed by the server before the mail. */
  stale: boolean;
}

/** One more time where the first used a connection that the server had closed. */
async function attemptServer(context: RemoteContext, attempt: ServerAttempt): Promise<ServerResult> {
  // Before a connection is occupied; not for a server whose last connection failed.
  if (!context.hosts.isDown(attempt.target.address)) await attempt.message();
  const result = await attemptAt(context, attempt);
  // An idle connection may have been closed by the server; the mail was not sent over it.
  return result.stale ? await attemptAt(context, attempt) : result;
}

async function attemptAt(
  { sessions, pace, hosts }: RemoteContext,
  { target, message, classifying }: ServerAttempt,
): Promise<ServerResult> {
  const silent = hosts.unresponsiveFor(target.address);
  if (silent !== undefined) return skipped(target, silent, classifying);
  const began = performance.now();
  let used: Session | undefined;
  const result = await sessions.use(target, async (session) => {
    used = session;
    const [outcome] = await session.send(await message());
    return outcome as SmtpOutcome;
  });
  if (used) hosts.reached(target.address);
  else if (result.kind !== 'paced' && result.kind !== 'aborted')
    hosts.failed(target.address, failureOf(result));
  const unauthenticated = authenticationFailure(target, result);
  const verdict = unauthenticated
    ? classify({ failure: unauthenticated, phase: 'starttls' }, classifying)
    : verdictOf(result, classifying);
  if ('throttled' in verdict && verdict.throttled)
    pace.onThrottled(target.host, verdict.verdict === 'deferred' ? verdict.retry_after_seconds : undefined);
  else if (verdict.verdict === 'sent') pace.onSuccess(target.host);
  const duration_ms = Math.round(performance.now() - began);
  return {
    verdict,
    reached: used !== undefined,
    // A refused greeting is about our connection, not about the mail: another server may still accept it.
    answered: used !== undefined && isAnswer(result),
    stale: used !== undefined && used.transactions > 1 && wasClosedBeforeMail(result),
    details: { ...serverDetails(target, used), ...replyDetails(result), duration_ms },
  };
}

/** A reply before a session was opened, such as a refused greeting, counts as a refused connection. */
function failureOf(result: SmtpOutcome): Pick<ConnectionFailure, 'kind' | 'phase'> {
  const kind = result.kind === 'timeout' ? 'timeout' : 'refused';
  return { kind, phase: result.phase };
}

function skipped(target: Target, seconds: number, classifying: ClassifyContext): ServerResult {
  const detail = `skipped: a connection to the server timed out ${seconds} s ago`;
  return {
    verdict: classify({ failure: 'timeout', phase: 'greeting' }, classifying),
    reached: false,
    answered: false,
    stale: false,
    details: { ...serverDetails(target, undefined), detail },
  };
}

/** Once the message was sent, the server may have accepted it: no other server may get it in this attempt. */
function isAnswer(result: SmtpOutcome | Paced): boolean {
  // Aborted by this node: no other server is tried either.
  if (result.kind === 'reply' || result.kind === 'aborted') return true;
  return result.kind !== 'paced' && (unsupported.has(result.kind) || result.phase === 'body');
}

function wasClosedBeforeMail(result: SmtpOutcome | Paced): boolean {
  return result.kind === 'closed' && (result.phase === 'mail' || result.phase === 'rset');
}

/** The server did not authenticate as its TLSA records or MTA-STS policy require; no fallback (RFC 7672 §2.2, RFC 8461 §5). */
function authenticationFailure({ tls }: Target, result: SmtpOutcome | Paced): 'dane' | 'mta_sts' | undefined {
  if (result.kind !== 'tls') return undefined;
  if (tls === 'dane') return 'dane';
  return tls === 'verified' ? 'mta_sts' : undefined;
}

function serverDetails(
  { host, address, tls }: Target,
  session: Session | undefined,
): Partial<AttemptDetails> {
  return {
    remote_host: host,
    remote_ip: session?.remote_address ?? address,
    local_ip: session?.local_address,
    tls: tlsDetail(session, tls),
  };
}

function replyDetails(result: SmtpOutcome | Paced): Partial<AttemptDetails> {
  if (result.kind === 'paced') return { detail: 'the destination is throttled' };
  if (result.kind !== 'reply') return { detail: `${result.kind} at ${result.phase}: ${result.message}` };
  const { code, enhanced_code, text } = result;
  return {
    smtp_code: code,
    enhanced_code,
    response: [code, enhanced_code, text].filter(Boolean).join(' '),
  };
}

const unsupported: ReadonlySet<string> = new Set([
  'eight_bit_unsupported',
  'smtputf8_unsupported',
  'too_big',
]);
/** Retry delay for mail of a node that is being stopped. */
const afterStopSeconds = 1;

function verdictOf(outcome: SmtpOutcome | Paced, classifying: ClassifyContext): AttemptResult['verdict'] {
  if (outcome.kind === 'paced' && classifying.last_attempt) {
    return { verdict: 'bounced', type: 'soft', reason: 'paced', throttled: false };
  }
  if (outcome.kind === 'paced') {
    return { verdict: 'postponed', reason: 'paced', retry_after_seconds: outcome.retry_after_seconds };
  }
  if (outcome.kind === 'aborted' && outcome.phase !== 'body') {
    return { verdict: 'postponed', reason: 'stopped', retry_after_seconds: afterStopSeconds };
  }
  const { phase: at } = outcome;
  if (at === 'auth') return classify({ failure: 'login', phase: 'greeting' }, classifying);
  const phase = at === 'connect' || at === 'rset' || at === 'quit' ? 'greeting' : at;
  if (outcome.kind === 'reply') {
    const { code, enhanced_code, text } = outcome;
    return classify({ code, enhanced: enhanced_code ?? null, text, phase }, classifying);
  }
  if (outcome.kind === 'too_big') {
    return { verdict: 'bounced', type: 'block', reason: 'message_too_big', throttled: false };
  }
  if (outcome.kind === 'eight_bit_unsupported' || outcome.kind === 'smtputf8_unsupported') {
    // Not a hard bounce: the address is valid, but its server will never accept this message.
    return { verdict: 'bounced', type: 'soft', reason: outcome.kind, throttled: false };
  }
  const failure: Failure = outcome.kind === 'aborted' ? 'closed' : outcome.kind;
  return classify({ failure, phase }, classifying);
}
