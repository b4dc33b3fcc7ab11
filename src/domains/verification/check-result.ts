import type { DnsTrouble } from '../../protocol/dns/client/dns-exchange.ts';
import type { Resolver } from '../../protocol/dns/client/resolver.ts';

export interface CheckResult {
  status: 'verified' | 'failed';
  /** A sentence that tells people what to fix. */
  reason: string | null;
}

/** Resolver and deadline of one validation. */
export interface Lookup {
  resolver: Resolver;
  signal: AbortSignal;
}

const MAX_REASON = 300;
const MAX_SHOWN = 100;

export const VERIFIED: CheckResult = { status: 'verified', reason: null };

export function failed(reason: string): CheckResult {
  return { status: 'failed', reason: boundedReason(reason) };
}

/** The text comes from whoever controls the DNS of the domain: bounded, one line, no control characters. */
export function boundedReason(reason: string): string {
  return clip(printable(reason), MAX_REASON);
}

/** A DNS value, truncated to leave space for the sentence. */
export function shown(value: string): string {
  return clip(printable(value), MAX_SHOWN);
}

/** Case and a final dot do not matter. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

export function troubleReason(record: string, trouble: DnsTrouble): string {
  return `${record} could not be read: ${TROUBLE_TEXT[trouble]}`;
}

const TROUBLE_TEXT: Record<DnsTrouble, string> = {
  timeout: 'the name servers did not answer in time',
  cancelled: 'the name servers did not answer in time',
  servfail: 'the name servers answered SERVFAIL',
  refused: 'the name servers refused the query',
  unreachable: 'the name servers could not be reached',
  malformed: 'the name servers sent an unreadable answer',
  not_implemented: 'the name servers do not support the query',
  bad_name: 'it is not a valid DNS name',
  failed: 'the query failed',
};

/** Control and format characters (bidirectional overrides included) and line separators become blanks. */
function printable(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  // Do not split a surrogate pair.
  return `${text
    .slice(0, length - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}
