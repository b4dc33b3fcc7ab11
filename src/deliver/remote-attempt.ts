import type { AttemptDetails, Reason, WaitReason } from '../events/index.ts';
import type { PolicyStore } from '../protocol/mta-sts/policy-store.ts';
import type { ConnectionFailure, Outcome as SmtpOutcome } from '../protocol/smtp-client/outcome.ts';
import type { OutboundMessage, Session } from '../protocol/smtp-client/session.ts';
import { classify, type Failure, type Verdict } from '../protocol/classify/classify.ts';
import { classifyRoute } from './route/classify-route.ts';
import type { Pace } from './pace/pace.ts';
import type { Router } from './route/router.ts';
import type { PickSource, SourceChoice } from './pick-source.ts';
import type { Paced, SessionPool } from './session-pool.ts';
import type { SilentHosts } from './silent-hosts.ts';
import { targetsOf, type Target, type TlsNeed } from './targets.ts';

export interface RemoteContext {
  router: Router;
  sessions: SessionPool;
  pace: Pace;
  policies: PolicyStore;
  /** After this long, no further server is tried in the same attempt: its lease must not run out under it. */
  max_search_ms: number;
  hosts: SilentHosts;
  pickSource: PickSource;
}

/** Nothing was tried, so that it is not an attempt. */
interface Postponed {
  verdict: 'postponed';
  reason: WaitReason;
  retry_after_seconds: number;
}

export interface AttemptResult {
  verdict: Verdict<Reason> | Postponed;
  details: Omit<AttemptDetails, 'attempt'>;
  /** What follows once a delivery is on record. */
  afterwards?: () => Promise<void>;
}

interface Chance {
  last_attempt: boolean;
}

interface RemoteMail extends Chance {
  /** Gets the next connection where all are busy. */
  urgent: boolean;
  instance_id: number;
  destination: string;
  /** Builds and signs it: by far the most work of an attempt, and in vain where there is nobody to give it to. */
  prepare: () => Promise<OutboundMessage>;
}

/** One attempt at a remote domain: its servers by preference, until one of them says something about the mail. */
export async function attemptRemote(
  context: RemoteContext,
  { instance_id, destination, prepare, last_attempt, urgent }: RemoteMail,
): Promise<AttemptResult> {
  const chance = { last_attempt };
  const until = performance.now() + context.max_search_ms;
  const [route, policy] = await Promise.all([
    context.router.route(destination),
    context.policies.policyFor(destination),
  ]);
  if (route.kind !== 'hosts') {
    const { verdict, enhanced } = classifyRoute(route, chance);
    return { verdict, details: { enhanced_code: enhanced, detail: `no route to ${destination}` } };
  }
  const targets = targetsOf(route.hosts, { domain: destination, policy });
  if (targets.length === 0) {
    const detail = 'no server of the domain is named by its MTA-STS policy';
    return { verdict: classify({ failure: 'mta_sts', phase: 'starttls' }, chance), details: { detail } };
  }
  const pause = pauseOf(context.pace, targets);
  if (pause) return { verdict: verdictOf(pause, chance), details: replyDetails(pause) };
  let prepared: Promise<OutboundMessage> | undefined;
  const message = (): Promise<OutboundMessage> => (prepared ??= prepare());
  let last: AttemptResult | undefined;
  let unsent: AttemptResult | undefined;
  for (const place of targets) {
    if (last && performance.now() > until) break;
    const from = await context.pickSource(instance_id, place);
    if (from.kind === 'none') {
      unsent ??= withoutSource(from, chance);
      continue;
    }
    // Ahead, before a connection is held for it; but not for servers that were out of reach a moment ago.
    if (!context.hosts.isDown(place.address)) await message();
    const target = { ...place, source: from.source, urgent };
    let result = await attemptAt(context, { target, message, chance });
    // A connection that was kept may have ended while it waited; the server has not heard of this mail.
    if (result.stale) result = await attemptAt(context, { target, message, chance });
    if (!result.reached) from.giveBack();
    if (result.answered) return result;
    // A server that only wants it later is worth waiting for, whatever the others are up to.
    if (last?.verdict.verdict !== 'postponed') last = result;
  }
  return last ?? unsent ?? { verdict: classify({ failure: 'dns', phase: 'greeting' }, chance), details: {} };
}

/** Nothing was tried: the mail waits for an address to go out from, as long as it has time. */
function withoutSource(
  { reason, retry_after_seconds }: Extract<SourceChoice, { kind: 'none' }>,
  { last_attempt }: Chance,
): AttemptResult {
  return {
    verdict: last_attempt
      ? { verdict: 'bounced', type: 'soft', reason, throttled: false }
      : { verdict: 'postponed', reason, retry_after_seconds },
    details: { detail: 'no address of the pool may send it at present' },
  };
}

/** Set when every server wants to be left alone at present: until the first of them does no longer. */
function pauseOf(pace: Pace, targets: Target[]): Paced | undefined {
  const waits = targets.map(({ host }) => {
    const permission = pace.mayOpen(host);
    return !permission.may && permission.reason === 'cooling_down' ? permission.retry_after_ms : 0;
  });
  const wait = Math.min(...waits);
  return wait > 0 ? { kind: 'paced', retry_after_seconds: Math.ceil(wait / 1000) } : undefined;
}

interface Place {
  target: Target;
  message: () => Promise<OutboundMessage>;
  chance: Chance;
}

/** `answered`: the server said something about this mail, so that no other server is asked in this attempt. */
async function attemptAt(
  { sessions, pace, hosts }: RemoteContext,
  { target, message, chance }: Place,
): Promise<AttemptResult & { reached: boolean; answered: boolean; stale: boolean }> {
  const silent = hosts.silentFor(target.address);
  if (silent !== undefined) return leftOut(target, silent, chance);
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
  const distrust = distrustOf(target, result);
  const verdict = distrust
    ? classify({ failure: distrust, phase: 'starttls' }, chance)
    : verdictOf(result, chance);
  if ('throttled' in verdict && verdict.throttled) pace.onThrottled(target.host, hintOf(verdict));
  else if (verdict.verdict === 'sent') pace.onSuccess(target.host);
  const duration_ms = Math.round(performance.now() - began);
  return {
    verdict,
    reached: used !== undefined,
    // A refused greeting is the server's answer to us, not to the mail: another one may still take it.
    answered: used !== undefined && isAnswer(result),
    stale: used !== undefined && used.transactions > 1 && isUnheard(result),
    details: { ...placeDetails(target, used), ...replyDetails(result), duration_ms },
  };
}

/** A reply in place of a session, such as a refused greeting, is as good as a refused connection. */
function failureOf(result: SmtpOutcome): Pick<ConnectionFailure, 'kind' | 'phase'> {
  const kind = result.kind === 'timeout' ? 'timeout' : 'refused';
  return { kind, phase: result.phase };
}

function leftOut(target: Target, seconds: number, chance: Chance): Awaited<ReturnType<typeof attemptAt>> {
  const detail = `not tried: the server did not answer ${seconds} s ago`;
  return {
    verdict: classify({ failure: 'timeout', phase: 'greeting' }, chance),
    reached: false,
    answered: false,
    stale: false,
    details: { ...placeDetails(target, undefined), detail },
  };
}

/** Once the message went out, the server may have taken it: another one must not get it in the same breath. */
function isAnswer(result: SmtpOutcome | Paced): boolean {
  // Called off by this node, which sends it to no other server either.
  if (result.kind === 'reply' || result.kind === 'aborted') return true;
  return result.kind !== 'paced' && (unsupported.has(result.kind) || result.phase === 'body');
}

function isUnheard(result: SmtpOutcome | Paced): boolean {
  return result.kind === 'closed' && (result.phase === 'mail' || result.phase === 'rset');
}

function hintOf(verdict: AttemptResult['verdict']): { retry_after_seconds?: number } {
  return 'retry_after_seconds' in verdict && verdict.retry_after_seconds !== undefined
    ? { retry_after_seconds: verdict.retry_after_seconds }
    : {};
}

/**
 * The server did not prove to be the one that its TLSA records or the domain's policy describe; there is no way around
 * that (RFC 7672 §2.2, RFC 8461 §5).
 */
function distrustOf({ tls }: Target, result: SmtpOutcome | Paced): 'dane' | 'mta_sts' | undefined {
  if (result.kind !== 'tls') return undefined;
  if (tls === 'dane') return 'dane';
  return tls === 'verified' ? 'mta_sts' : undefined;
}

/** What the certificate was held against, beside protocol and cipher. */
const assurances: Partial<Record<TlsNeed, string>> = { dane: ' dane', verified: ' mta-sts' };

function placeDetails({ host, address, tls }: Target, session: Session | undefined): Partial<AttemptDetails> {
  return {
    remote_host: host,
    remote_ip: session?.remote_address ?? address,
    local_ip: session?.local_address,
    tls: session?.tls && `${session.tls.protocol} ${session.tls.cipher}${assurances[tls] ?? ''}`,
  };
}

function replyDetails(result: SmtpOutcome | Paced): Partial<AttemptDetails> {
  if (result.kind === 'paced') return { detail: 'the destination asked for less mail at a time' };
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
/** Seconds until a mail is taken up elsewhere whose node is being stopped. */
const after_stop_seconds = 1;

function verdictOf(outcome: SmtpOutcome | Paced, chance: Chance): AttemptResult['verdict'] {
  if (outcome.kind === 'paced' && chance.last_attempt) {
    return { verdict: 'bounced', type: 'soft', reason: 'paced', throttled: false };
  }
  if (outcome.kind === 'paced') {
    return { verdict: 'postponed', reason: 'paced', retry_after_seconds: outcome.retry_after_seconds };
  }
  if (outcome.kind === 'aborted' && outcome.phase !== 'body') {
    return { verdict: 'postponed', reason: 'stopped', retry_after_seconds: after_stop_seconds };
  }
  const { phase: at } = outcome;
  if (at === 'auth') return classify({ failure: 'login', phase: 'greeting' }, chance);
  const phase = at === 'connect' || at === 'rset' || at === 'quit' ? 'greeting' : at;
  if (outcome.kind === 'reply') {
    const { code, enhanced_code, text } = outcome;
    return classify({ code, enhanced: enhanced_code ?? null, text, phase }, chance);
  }
  if (outcome.kind === 'too_big') {
    return { verdict: 'bounced', type: 'block', reason: 'message_too_big', throttled: false };
  }
  if (outcome.kind === 'eight_bit_unsupported' || outcome.kind === 'smtputf8_unsupported') {
    // The address itself is fine: its server cannot take this message, and will not be able to tomorrow.
    return { verdict: 'bounced', type: 'soft', reason: outcome.kind, throttled: false };
  }
  const failure: Failure = outcome.kind === 'aborted' ? 'closed' : outcome.kind;
  return classify({ failure, phase }, chance);
}
