import type { DnsError } from '../../protocol/dns/client/dns-exchange.ts';
import type { Resolver } from '../../protocol/dns/client/resolver.ts';

/** What is wrong with a record, for programs and for words in other languages. */
export const dnsProblemCodes = [
  'not_found',
  'wrong_value',
  'unreadable',
  'several_records',
  'spf_include_missing',
  'spf_include_after_all',
  'spf_include_qualified',
  'spf_too_many_lookups',
  'cname_loop',
  'cname_too_long',
  'dkim_key_copied',
  'dkim_key_missing',
  'dkim_key_invalid',
  'dmarc_tag_repeated',
  'dmarc_rua_missing',
  'dmarc_rua_invalid',
] as const;
export type DnsProblemCode = (typeof dnsProblemCodes)[number];

export interface FoundProblem {
  code: DnsProblemCode;
  /** A sentence that tells people what to fix. */
  reason: string;
  /** What DNS has in place of the record. */
  found?: string[];
  /** What to publish in place of that. */
  suggested?: string | undefined;
}

export type CheckResult =
  | { status: 'verified'; reason: null }
  | {
      status: 'failed';
      reason: string;
      code: DnsProblemCode;
      found: string[];
      suggested: string | undefined;
    };

/** Resolver and deadline of one validation. */
export interface Lookup {
  resolver: Resolver;
  signal: AbortSignal;
}

const maxReason = 300;
const maxShown = 100;
const maxFound = 5;
const maxValue = 500;

export const verifiedResult: CheckResult = { status: 'verified', reason: null };

export function failed({ code, reason, found = [], suggested }: FoundProblem): CheckResult {
  const shownValues = found.slice(0, maxFound).map(boundedValue);
  return { status: 'failed', reason: boundedReason(reason), code, found: shownValues, suggested };
}

/** A DNS value that people compare with what they published. */
export function boundedValue(value: string): string {
  return clip(printable(value), maxValue);
}

/** The owner of the domain's DNS controls the text: bounded, one line, no control characters. */
export function boundedReason(reason: string): string {
  return clip(printable(reason), maxReason);
}

/** A DNS value, truncated to leave space for the sentence. */
export function shown(value: string): string {
  return clip(printable(value), maxShown);
}

/** Case and a final dot do not matter. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

export function unreadable(record: string, error: DnsError): FoundProblem {
  return { code: 'unreadable', reason: `${record} could not be read: ${errorText[error]}` };
}

const errorText: Record<DnsError, string> = {
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
