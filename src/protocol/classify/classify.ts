import { isAboutRecipient, meaningOfBasicCode, type Phase } from './basic-codes.ts';
import { meaningOfCode, meaningOfSubject, readStatus, type StatusCode } from './enhanced-codes.ts';
import { treatmentOf, type BounceType, type Meaning } from './meanings.ts';
import { findRefinement, meaningOfText, textToJudge } from './reply-rules.ts';
import { findRetryHint } from './retry-hint.ts';

export interface ReplyOutcome {
  code: number;
  /** RFC 3463 status in front of the text; null without one. */
  enhanced: string | null;
  /** All lines of the reply, joined, without codes. */
  text: string;
  phase: Phase;
}

export const failures = [
  'timeout',
  'refused',
  'unreachable',
  'closed',
  'tls',
  'protocol',
  'dns',
  /** The certificate is not the one that TLSA records ask for. */
  'dane',
  /** The server is not one that the domain's MTA-STS policy lets us trust. */
  'mta_sts',
  /** The smarthost does not let us in. */
  'login',
] as const;
export type Failure = (typeof failures)[number];

/** A meaning, or `connection_` and the failure. */
export type VerdictReason = Meaning | `connection_${Failure}`;

export interface FailureOutcome {
  failure: Failure;
  phase: Phase;
}

export interface ClassifyContext {
  /** No time is left for another attempt: what would be deferred is bounced. */
  last_attempt: boolean;
}

/** Callers with further reasons name them. */
export type Verdict<Reason extends string = VerdictReason> =
  | { verdict: 'sent' }
  | {
      verdict: 'deferred';
      reason: Reason;
      /** The destination wants less mail at a time. */
      throttled: boolean;
      /** What the bounce will be called if the mail expires before it is taken. */
      if_expired: 'soft' | 'block';
      retry_after_seconds?: number;
    }
  | { verdict: 'bounced'; type: BounceType; reason: Reason; throttled: boolean };

type Deferred = Extract<Verdict, { verdict: 'deferred' }>;

/** What became of a mail (contract §7), from the reply that ended an attempt or from how its connection failed. */
export function classify(outcome: ReplyOutcome | FailureOutcome, context: ClassifyContext): Verdict {
  const verdict = 'failure' in outcome ? ofFailure(outcome.failure) : ofReply(outcome);
  if (verdict.verdict !== 'deferred' || !context.last_attempt) return verdict;
  const { if_expired: type, reason, throttled } = verdict;
  return { verdict: 'bounced', type, reason, throttled };
}

function ofFailure(failure: Failure): Deferred {
  return { verdict: 'deferred', reason: `connection_${failure}`, throttled: false, if_expired: 'soft' };
}

function ofReply(reply: ReplyOutcome): Verdict {
  if (reply.code >= 200 && reply.code < 300 && reply.phase === 'body') return { verdict: 'sent' };
  // A reply outside of what RFC 5321 §4.2.1 allows at this place says nothing of the mail.
  if (reply.code < 400 || reply.code > 599) return ofFailure('protocol');
  const status = readStatus(reply.enhanced, reply.text);
  // If code and status disagree, the one that does not restrict applies.
  const isPermanent = reply.code >= 500 && status?.class !== 4;
  const meaning = meaningOf(reply, { status, is_permanent: isPermanent });
  const { permanent, type } = treatmentOf(meaning);
  if (isPermanent && permanent === 'bounce') {
    return { verdict: 'bounced', type, reason: meaning, throttled: false };
  }
  return deferred(reply, meaning, status);
}

function deferred(reply: ReplyOutcome, meaning: Meaning, status: StatusCode | undefined): Deferred {
  const { type, throttled } = treatmentOf(meaning);
  const hint = findRetryHint(textToJudge(reply.text));
  return {
    verdict: 'deferred',
    reason: meaning,
    throttled: reply.code === 421 || (throttled ?? asksForLess(meaning, status)),
    if_expired: type === 'block' ? 'block' : 'soft',
    ...(hint !== undefined && { retry_after_seconds: hint }),
  };
}

/** x.7.x of class 4 is how policies slow a sender down. Greylisting is not: each new pair meets it once. */
function asksForLess(meaning: Meaning, status: StatusCode | undefined): boolean {
  return status?.class === 4 && status.detail.startsWith('7.') && meaning !== 'greylisted';
}

interface Reading {
  status: StatusCode | undefined;
  is_permanent: boolean;
}

function meaningOf(reply: ReplyOutcome, { status, is_permanent }: Reading): Meaning {
  const text = textToJudge(reply.text);
  const detail = status !== undefined && status.class !== 2 ? status.detail : undefined;
  const read =
    (detail === undefined ? undefined : (findRefinement(detail, text) ?? meaningOfCode(detail))) ??
    meaningOfText(text) ??
    (detail === undefined ? undefined : meaningOfSubject(detail));
  const meaning = read ?? (is_permanent ? meaningOfBasicCode(reply.code, reply.phase) : 'temporary_failure');
  const isMisplaced = treatmentOf(meaning).type === 'hard' && !isAboutRecipient(reply.phase);
  if (!isMisplaced) return meaning;
  return reply.phase === 'mail' ? 'sender_rejected' : 'policy';
}
