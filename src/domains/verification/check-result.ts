import type { DnsTrouble } from '../../protocol/dns/client/dns-exchange.ts';
import type { Resolver } from '../../protocol/dns/client/resolver.ts';

export interface CheckResult {
  status: 'verified' | 'failed';
  /** Why it failed, in a sentence a person can act on. */
  reason: string | null;
}

/** The resolver and the end of the time that all checks of one validation share. */
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

/** Whoever owns the DNS of a domain writes what is shown to its user here: one line, no control characters. */
export function boundedReason(reason: string): string {
  return clip(printable(reason), MAX_REASON);
}

/** A value found in DNS, short enough to leave room for the sentence around it. */
export function shown(value: string): string {
  return clip(printable(value), MAX_SHOWN);
}

/** Names are compared without regard to case or a final dot. */
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

/** Control and format characters (bidirectional overrides among them) and line separators become a space. */
function printable(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  // Cutting a surrogate pair in two would leave half a character.
  return `${text
    .slice(0, length - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}
