import { isAscii } from 'node:buffer';
import type { Clock } from '../base/clock.ts';
import { createCache } from '../base/db/cache.ts';
import { isStoreLost } from '../base/db/batcher.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Log } from '../base/log.ts';
import type { RootSecret } from '../base/secrets.ts';
import { isAtOrBelow, loadSigningKey, sandboxZone, type SigningKey } from '../domains/index.ts';
import type { HoldReason, Outcome, WaitReason } from '../events/index.ts';
import type { DropReason } from '../mails/index.ts';
import type { ByteBudget } from '../protocol/byte-budget.ts';
import { signMessage } from '../protocol/dkim/sign-message.ts';
import type { OutboundMessage } from '../protocol/smtp-client/session.ts';
import { stuffDots } from '../protocol/smtp-client/dot-stuffing.ts';
import {
  type ClaimedMail,
  type createSuspects,
  give_up_after_ms,
  maxCrashes,
  retryDelaySeconds,
} from '../queue/index.ts';
import { TemplateFailure } from '../templates/index.ts';
import type { PersonalMessage } from './build-message.ts';
import { largeBytes, sendingTime, type DueMail } from './load-batch.ts';
import { attemptRemote, type AttemptResult, type RemoteContext } from './remote-attempt.ts';
import type { createSandbox } from './sandbox-attempt.ts';
import type { StoredMessage } from './stored-message.ts';

export interface AttemptContext extends RemoteContext {
  clock: Clock;
  log: Log;
  signingKey: (domainId: number) => Promise<SigningKey | undefined>;
  build: (mail: DueMail) => Promise<PersonalMessage>;
  isolatePoisonMail: ReturnType<typeof createSuspects>;
  sandbox: ReturnType<typeof createSandbox>;
  /** Checked just before the message is sent, the last step that can be undone. */
  holdsLease: (mail: ClaimedMail) => Promise<boolean>;
  /** Whether recipients cannot open the links of this domain's mail, so that it must not be sent. */
  hasDeadLinks: (domain: string) => boolean;
  /** Whether the mail is captured whatever its recipient: this installation cannot send it. */
  keepsInside: (
    message: Pick<StoredMessage, 'domain' | 'domain_is_sandbox'>,
  ) => 'platform' | 'instance' | undefined;
  /** For large messages. */
  memory: ByteBudget;
}

export interface FinishedAttempt {
  outcome: Outcome;
  /** Runs once the outcome is recorded. */
  onRecorded?: (() => Promise<void>) | undefined;
}

/** One attempt to deliver one mail. */
export async function attempt(context: AttemptContext, mail: DueMail): Promise<FinishedAttempt> {
  const { clock, log } = context;
  const now = clock.now();
  const held = holdReason(mail);
  if (held) return { outcome: { ...withoutAttempt(mail, now), verdict: 'held', reason: held } };
  const dropped = dropReason(mail);
  if (dropped) return { outcome: { ...withoutAttempt(mail, now), verdict: 'dropped', reason: dropped } };
  if ((mail.crashes ?? 0) >= maxCrashes) return { outcome: crashed(mail, now) };
  const last_attempt = now.getTime() - sendingTime(mail).getTime() >= give_up_after_ms;
  try {
    const isLarge = mail.message.size_bytes > largeBytes;
    const result = await (isLarge ? deliverLarge : deliver)(context, mail, last_attempt);
    return { outcome: conclude(result, mail, clock.now()), onRecorded: result.onRecorded };
  } catch (error) {
    const failed = failureOf(error, last_attempt);
    if (failed === undefined)
      log.error({ err: error, mail_id: mail.mail_id }, 'could not prepare a mail for delivery');
    return { outcome: conclude(failed ?? notPrepared(last_attempt), mail, clock.now()) };
  }
}

/** For failures that are not ours: the sender's template, a busy renderer, a lost database. Undefined for all others. */
function failureOf(error: unknown, last_attempt: boolean): AttemptResult | undefined {
  if (error instanceof TemplateFailure) {
    const verdict = {
      verdict: 'bounced',
      type: 'block',
      reason: 'template_failed',
      throttled: false,
    } as const;
    return { verdict, details: { detail: error.message } };
  }
  if (!(error instanceof Problem) && isStoreLost(error)) return databaseLost;
  if (last_attempt || !(error instanceof Problem && error.code === 'service_unavailable')) return undefined;
  const retry_after_seconds = error.facts.retry_after_seconds ?? 5;
  return { verdict: { verdict: 'postponed', reason: 'template_waiting', retry_after_seconds }, details: {} };
}

/** Not an attempt: nothing was sent. */
const databaseLost: AttemptResult = {
  verdict: { verdict: 'postponed', reason: 'database_unavailable', retry_after_seconds: 1 },
  details: {},
};

/** A fault on our side, such as a key that cannot sign: deferred, never a hard bounce. */
function notPrepared(last_attempt: boolean): AttemptResult {
  const failure = { reason: 'internal_error', throttled: false } as const;
  return {
    verdict: last_attempt
      ? { verdict: 'bounced', type: 'soft', ...failure }
      : { verdict: 'deferred', if_expired: 'soft', ...failure },
    details: {},
  };
}

/** Contract §7: accepted mail is held while its domain is not verified or its instance is disabled. */
function holdReason({ message }: DueMail): HoldReason | undefined {
  if (!message.instance_is_enabled) return 'instance_disabled';
  return message.domain_is_verified ? undefined : 'domain_not_verified';
}

/**
 * Checked before every attempt (contract §6): mail waits for days when it is deferred or held, and its recipient may have
 * withdrawn, complained or unsubscribed meanwhile. What a node had under a lease when a person was blocked was left in the queue.
 */
function dropReason(mail: DueMail): DropReason | undefined {
  if (mail.is_blocked) return 'recipient_blocked';
  if (mail.is_restricted) return 'recipient_restricted';
  if (mail.is_unsubscribed && mail.message.stream === 'broadcast') return 'recipient_unsubscribed';
  return mail.consent_drop;
}

/** Not an attempt: other large messages use the memory of this node. */
const outOfMemory: AttemptResult = {
  verdict: { verdict: 'postponed', reason: 'no_memory', retry_after_seconds: 5 },
  details: {},
};

/** Not an attempt: its recipient could not unsubscribe. The operator has to set the base URL and restart. */
const deadLinks: AttemptResult = {
  verdict: { verdict: 'postponed', reason: 'base_url_not_public', retry_after_seconds: 300 },
  details: {},
};

async function deliverLarge(
  context: AttemptContext,
  mail: DueMail,
  last_attempt: boolean,
): Promise<AttemptResult> {
  const reservation = context.memory.hold(String(mail.instance_id));
  if (reservation.growTo(mail.message.size_bytes) !== undefined) return outOfMemory;
  try {
    return await deliver(context, mail, last_attempt);
  } finally {
    reservation.release();
  }
}

function deliver(context: AttemptContext, mail: DueMail, last_attempt: boolean): Promise<AttemptResult> {
  const { instance_id, destination, message } = mail;
  if (isAtOrBelow(destination, sandboxZone)) return deliverToSandbox(context, mail, { last_attempt });
  const kept_inside = context.keepsInside(message);
  if (kept_inside) return deliverToSandbox(context, mail, { last_attempt, kept_inside });
  if (context.hasDeadLinks(message.domain)) return Promise.resolve(deadLinks);
  const prepare = (): Promise<OutboundMessage> => outbound(context, mail);
  const urgent = message.stream === 'transactional';
  return attemptRemote(context, { instance_id, destination, prepare, last_attempt, urgent });
}

async function deliverToSandbox(
  context: AttemptContext,
  mail: DueMail,
  { last_attempt, kept_inside }: { last_attempt: boolean; kept_inside?: 'platform' | 'instance' },
): Promise<AttemptResult> {
  const { head, body } = await signed(context, mail);
  const raw = Buffer.concat([head, ...body]);
  return await context.sandbox({ ...mail, kept_inside, raw, now: context.clock.now() }, last_attempt);
}

async function outbound(context: AttemptContext, mail: DueMail): Promise<OutboundMessage> {
  const { mail_from, head, body } = await signed(context, mail);
  const isAsciiHead = isAscii(head);
  return {
    mail_from,
    rcpt_to: [mail.recipient],
    size: body.reduce((sum, piece) => sum + piece.length, head.length),
    eight_bit: !isAsciiHead || !body.every((piece) => isAscii(piece)),
    smtputf8: !isAsciiHead || /[^\x20-\x7e]/.test(mail.recipient),
    data: stuffDots([head, ...body]),
    confirm: () => context.holdsLease(mail),
  };
}

interface SignedMessage extends Pick<PersonalMessage, 'mail_from' | 'body'> {
  /** The signature, the header and the blank line. */
  head: Buffer;
}

/** Mail of the sandbox domain stays unsigned: the domain has no keys, and its mail does not leave. */
async function signed(context: AttemptContext, mail: DueMail): Promise<SignedMessage> {
  const build = async (): Promise<PersonalMessage> => await context.build(mail);
  const { mail_from, header, body, body_hash } = await context.isolatePoisonMail(mail, build);
  const { domain, domain_id, domain_is_sandbox } = mail.message;
  if (domain_is_sandbox) return { mail_from, head: Buffer.concat([header, blank]), body };
  const signing = await context.signingKey(domain_id);
  if (!signing) throw new Error(`${domain} has no DKIM key`);
  const { selector, key } = signing;
  const now = context.clock.now();
  const signature = await signMessage({ header, body_hash, domain, selector, key, now });
  return { mail_from, head: Buffer.concat([Buffer.from(signature), header, blank]), body };
}

const blank = Buffer.from('\r\n');

/** For a mail whose message is past its retention. */
export function expired(mail: ClaimedMail, at: Date): Outcome {
  return { ...withoutAttempt(mail, at), verdict: 'bounced', type: 'soft', reason: 'message_expired' };
}

/** For a mail that crashed `max_crashes` nodes. */
function crashed(mail: ClaimedMail, at: Date): Outcome {
  return { ...withoutAttempt(mail, at), verdict: 'bounced', type: 'soft', reason: 'delivery_crashed' };
}

/** For a mail that was handed over and has to go through the queue after all. */
export function returnToQueue(mail: ClaimedMail, reason: WaitReason, at: Date): Outcome {
  return { ...withoutAttempt(mail, at), verdict: 'postponed', reason, next_attempt_at: at };
}

function withoutAttempt(mail: ClaimedMail, at: Date) {
  return { ...identityOf(mail), at, details: { attempt: mail.attempt } };
}

function identityOf({ mail_id, msg_id, instance_id, lease, crashes }: ClaimedMail) {
  return { mail_id, msg_id, instance_id, lease, crashes };
}

function conclude({ verdict, details }: AttemptResult, mail: DueMail, now: Date): Outcome {
  const common = { ...identityOf(mail), at: now, details: { ...details, attempt: mail.attempt } };
  if (verdict.verdict === 'sent') return { ...common, verdict: 'sent' };
  if (verdict.verdict === 'bounced') {
    return { ...common, verdict: 'bounced', reason: verdict.reason, type: verdict.type };
  }
  if (verdict.verdict === 'postponed') {
    // Jitter, so that postponed mails do not all come back at once.
    const seconds = verdict.retry_after_seconds * (1 + Math.random() / 4);
    return {
      ...common,
      verdict: 'postponed',
      reason: verdict.reason,
      next_attempt_at: new Date(now.getTime() + seconds * 1000),
    };
  }
  const seconds = retryDelaySeconds({
    attempt: mail.attempt,
    asked_seconds: verdict.retry_after_seconds,
    random: Math.random(),
  });
  return {
    ...common,
    verdict: 'deferred',
    reason: verdict.reason,
    next_attempt_at: new Date(now.getTime() + seconds * 1000),
  };
}

/** A cache: parsing a key costs half as much as a signature. */
export function createSigningKeys(
  db: Queryable,
  secret: RootSecret,
): (domainId: number) => Promise<SigningKey | undefined> {
  return createCache<number, SigningKey | undefined>({
    load: async (domainId) => await loadSigningKey(db, domainId, secret),
    ttl_ms: 10_000,
    max_entries: 5_000,
  }).get;
}
